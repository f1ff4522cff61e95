// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** A backend with four GPUs for the machines of a {@link SmallCloud}, and the adapter beside it. */
final class CloudPool {
  /** Where Nova asks the adapter. */
  static final String ADDRESS = "http://127.0.0.1:14905";

  /** A flavor with two GPUs. */
  static final String FLAVOR = "cg1.xlarge";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> OVER = Set.of("released", "revoked", "expired");

  private final Path home;
  private final Launcher outboard;
  private final HttpClient http = HttpClient.newHttpClient();
  private Process office;
  private Process adapter;
  // Of 127.0.0.1 'lease --with vm' knows that no machine of a cloud reaches it.
  private final String backend = "tcp://127.0.0.2:" + FreePort.next();
  private final String api = "http://127.0.0.1:" + FreePort.next();
  private final String token;

  /** Starts the backend, and makes the flavor. */
  CloudPool(Path home) throws Exception {
    this.home = home;
    outboard = new Launcher(home);
    startOffice();
    token = says("token", "create", "--role=operator", "--for=1d");
    secret("token", token);
    secret("password", "outboard");
    secret("rabbit", "guest");
    Files.writeString(
        home.resolve("openstack.conf"),
        """
        api = %s
        api-token-file = %s
        auth-url = %s
        username = outboard
        project = service
        password-file = %s
        """
            .formatted(api, home.resolve("token"), CloudUser.IDENTITY, home.resolve("password")));
    String unused =
        ofCloud(
            "flavor",
            FLAVOR,
            "--gpus=2",
            "--model=a100",
            "--vcpus=1",
            "--ram=64",
            "--disk=1",
            "--create");
  }

  private void secret(String name, String text) throws IOException {
    Files.writeString(home.resolve(name), text);
    Files.setPosixFilePermissions(home.resolve(name), PosixFilePermissions.fromString("rw-------"));
  }

  private String says(String... words) throws Exception {
    Program.Ended ended = outboard.run(words);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }

  /** The output of a command of {@code outboard openstack}. */
  private String ofCloud(String... words) throws Exception {
    return says(ofCloud(List.of(words)));
  }

  private String[] ofCloud(List<String> words) {
    String file = "--config=" + home.resolve("openstack.conf");
    return Stream.concat(Stream.of("openstack", file), words.stream()).toArray(String[]::new);
  }

  /** Starts the backend, always at the same ports. */
  void startOffice() throws IOException {
    office =
        outboard.start(
            "serve",
            "--device=software:a100*4",
            "--require-lease",
            "--api-rate=100000",
            "--listen=" + backend,
            "--api=" + api,
            "--state=" + home.resolve("state"));
    String unused = outboard.awaitLine(lines(office), "api at ");
  }

  private static BufferedReader lines(Process process) {
    return new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  /**
   * Starts the adapter.
   *
   * @param interval in which it compares leases with machines
   */
  void startAdapter(String interval) throws IOException {
    List<String> words =
        List.of(
            "serve",
            "--listen=" + ADDRESS,
            "--interval=" + interval,
            "--notifications=amqp://guest@127.0.0.1:25673/",
            "--notifications-password-file=" + home.resolve("rabbit"));
    adapter = outboard.start(ofCloud(words));
    String unused = outboard.awaitLine(lines(adapter), "vendor data at ");
  }

  void killOffice() throws InterruptedException {
    office.destroyForcibly().waitFor();
  }

  void killAdapter() throws InterruptedException {
    adapter.destroyForcibly().waitFor();
  }

  void endAdapter() throws InterruptedException {
    if (adapter != null) {
      adapter.destroy();
      adapter.waitFor();
    }
  }

  void endOffice() throws InterruptedException {
    office.destroy();
    office.waitFor();
  }

  /** Its processes' standard error. */
  String errors() {
    try {
      return ": " + outboard.errors();
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Has Alice make a machine that is there for a lease: {@code lease --with vm}. Its service
   * answers nobody, as Nova's hosts boot nothing here.
   */
  Process machine(String flavor, String image) throws IOException {
    outboard.set("OUTBOARD_TOKEN", Files.readString(outboard.runtime().resolve("outboard/token")));
    outboard.set("OS_AUTH_URL", CloudUser.IDENTITY);
    outboard.set("OS_USERNAME", "alice");
    outboard.set("OS_PASSWORD", "alice");
    outboard.set("OS_PROJECT_NAME", "demo");
    Process command =
        outboard.start(
            "lease",
            "--on=" + backend,
            "--with=vm",
            "--flavor=" + flavor,
            "--image=" + image,
            "--network=none",
            "--client=https://127.0.0.2/outboard-client.deb",
            "--service=https://127.0.0.2/service.jar");
    String unused = outboard.awaitLine(lines(command), "calls at ");
    return command;
  }

  /** The backend's HTTP interface; a body of null for GET. */
  private JsonNode ask(String path, String body) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(api + path)).header("Authorization", "Bearer " + token);
    if (body != null) {
      request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
    }
    HttpResponse<String> told = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(2, told.statusCode() / 100, told::body);
    return JSON.readTree(told.body());
  }

  /** The leases that are not over. */
  private List<JsonNode> leases() throws IOException, InterruptedException {
    List<JsonNode> alive = new ArrayList<>();
    for (JsonNode lease : ask("/v1/leases", null).get("leases")) {
      if (!OVER.contains(lease.get("state").asText())) {
        alive.add(lease);
      }
    }
    return alive;
  }

  /** The ids of a machine's leases that are not over. */
  List<String> leases(String machine) throws IOException, InterruptedException {
    return leases().stream()
        .filter(lease -> lease.get("consumerId").asText().equals(machine))
        .map(lease -> lease.get("id").asText())
        .toList();
  }

  /** Whether nobody has a lease. */
  boolean isFree() throws IOException, InterruptedException {
    return leases().isEmpty();
  }

  /** Gives a lease back. */
  void release(String lease) throws IOException, InterruptedException {
    JsonNode unused = ask("/v1/leases/" + lease + "/release", "{\"reason\": \"the end\"}");
  }

  /** Whether no machine has anything in Placement that it does not use. */
  boolean isNothingStale() throws Exception {
    return ofCloud("stale", "--json").equals("[]");
  }

  /** Fails where the rows of one GPU do not follow each other. */
  void assertNothingIsChargedTwice() throws Exception {
    Map<String, Long> until = new HashMap<>();
    for (JsonNode row : ask("/v1/usage", null).get("rows")) {
      String gpu = row.get("gpu").asText();
      long from = time(row.get("from"));
      assertTrue(until.getOrDefault(gpu, 0L) <= from, row::toString);
      until.put(gpu, time(row.get("to")));
    }
    assertFalse(until.isEmpty(), "something was charged");
  }

  private static long time(JsonNode moment) {
    return Instant.parse(moment.asText()).toEpochMilli();
  }
}
