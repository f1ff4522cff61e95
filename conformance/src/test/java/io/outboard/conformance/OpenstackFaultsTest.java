// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The office, the adapter, RabbitMQ and Placement are killed at each step of a machine's life with
 * real services: no GPU is left leased, none is taken from a machine that runs, and nothing is
 * charged twice. Notifications that somebody forges end nothing.
 */
@Lengthy
final class OpenstackFaultsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FLAVOR = "cg1.xlarge";
  private static final String ADDRESS = "http://127.0.0.1:14905";
  private static final String OFTEN = "2s";
  private static final Set<String> OVER = Set.of("released", "revoked", "expired");

  @TempDir private static Path home;
  private static SmallCloud cloud;
  private static Launcher outboard;
  private static Process office;
  private static Process adapter;
  private static String api = "http://127.0.0.1:0";
  private static String token;

  @BeforeAll
  static void startAll() throws Exception {
    if (!SmallCloud.isHere()) {
      return;
    }
    cloud = SmallCloud.start();
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
        auth-url = http://127.0.0.1:25000/v3
        username = outboard
        project = service
        password-file = %s
        """
            .formatted(api, home.resolve("token"), home.resolve("password")));
    String file = "--config=" + home.resolve("openstack.conf");
    says(
        "openstack",
        file,
        "flavor",
        FLAVOR,
        "--gpus=2",
        "--model=a100",
        "--vcpus=1",
        "--ram=64",
        "--disk=1",
        "--create");
  }

  private static void secret(String name, String text) throws IOException {
    Files.writeString(home.resolve(name), text);
    Files.setPosixFilePermissions(home.resolve(name), PosixFilePermissions.fromString("rw-------"));
  }

  private static String says(String... words) throws Exception {
    Program.Ended ended = outboard.run(words);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }

  private static void startOffice() throws IOException {
    office =
        outboard.start(
            "serve",
            "--device=software:a100*4",
            "--require-lease",
            "--api-rate=100000",
            "--listen=tcp://127.0.0.1:0",
            "--api=" + api,
            "--state=" + home.resolve("state"));
    api = outboard.awaitLine(lines(office), "api at ");
  }

  private static BufferedReader lines(Process process) {
    return new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  private static void startAdapter(String interval) throws IOException {
    adapter =
        outboard.start(
            "openstack",
            "--config=" + home.resolve("openstack.conf"),
            "serve",
            "--listen=" + ADDRESS,
            "--interval=" + interval,
            "--notifications=amqp://guest@127.0.0.1:25673/",
            "--notifications-password-file=" + home.resolve("rabbit"));
    String unused = outboard.awaitLine(lines(adapter), "vendor data at ");
  }

  @BeforeEach
  void wantOpenstack() {
    assumeTrue(cloud != null, SmallCloud::absent);
  }

  @AfterAll
  static void endAll() throws Exception {
    if (cloud == null) {
      return;
    }
    try {
      assertNothingIsChargedTwice();
    } finally {
      office.destroy();
      office.waitFor();
      SmallCloud.stop();
    }
  }

  @AfterEach
  void endAdapter() throws Exception {
    if (adapter != null) {
      adapter.destroy();
      adapter.waitFor();
    }
  }

  private static JsonNode ask(String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(api + path))
              .header("Authorization", "Bearer " + token)
              .build();
      return JSON.readTree(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }
  }

  /** The ids of a machine's leases that are not over. */
  private static List<String> leases(String machine) throws Exception {
    List<String> alive = new ArrayList<>();
    for (JsonNode lease : ask("/v1/leases").get("leases")) {
      if (lease.get("consumerId").asText().equals(machine)
          && !OVER.contains(lease.get("state").asText())) {
        alive.add(lease.get("id").asText());
      }
    }
    return alive;
  }

  /** Asks as the guest does: again, until it has its token. */
  private static String lease(String machine) throws Exception {
    Patience.until(
        () -> "the machine has its lease" + errors(),
        () -> !cloud.vendordata(machine).path("token").asText().isEmpty());
    List<String> alive = leases(machine);
    assertEquals(1, alive.size(), alive::toString);
    return alive.getFirst();
  }

  private static String errors() {
    try {
      return ": " + outboard.errors();
    } catch (IOException e) {
      return "";
    }
  }

  /** A service that is killed. */
  private interface Fault {
    void kill() throws Exception;

    void again() throws Exception;

    /** Whether Nova needs it to delete a machine. */
    boolean isNovas();
  }

  private static Fault service(String name) {
    return new Fault() {
      @Override
      public void kill() throws Exception {
        cloud.kill(name);
      }

      @Override
      public void again() throws Exception {
        cloud.again(name);
      }

      @Override
      public boolean isNovas() {
        return true;
      }
    };
  }

  /** Kills it at each step of a machine's life. */
  private static void assertSurvived(String name, Fault fault) throws Exception {
    startAdapter(OFTEN);
    String machine = cloud.boot(name, FLAVOR);
    fault.kill();
    JsonNode unused = cloud.vendordata(machine);
    fault.again();
    String lease = lease(machine);
    fault.kill();
    fault.again();
    // Of a machine that runs nothing is taken, whatever is known meanwhile.
    assertEquals(lease, lease(machine), "a machine that runs keeps its GPUs");
    fault.kill();
    if (fault.isNovas()) {
      fault.again();
    }
    Patience.until("Nova deletes it", () -> cloud.deletes(machine));
    if (!fault.isNovas()) {
      fault.again();
    }
    Patience.until(() -> "its lease ends" + errors(), () -> leases(machine).isEmpty());
    Patience.until(
        () -> "nothing of it is left in Placement" + errors(),
        () ->
            says("openstack", "--config=" + home.resolve("openstack.conf"), "stale", "--json")
                .equals("[]"));
  }

  @Test
  void theOfficeIsKilledAtEachStep() throws Exception {
    assertSurvived(
        "office",
        new Fault() {
          @Override
          public void kill() throws Exception {
            office.destroyForcibly().waitFor();
          }

          @Override
          public void again() throws Exception {
            startOffice();
          }

          @Override
          public boolean isNovas() {
            return false;
          }
        });
  }

  @Test
  void theAdapterIsKilledAtEachStep() throws Exception {
    assertSurvived(
        "adapter",
        new Fault() {
          @Override
          public void kill() throws Exception {
            adapter.destroyForcibly().waitFor();
          }

          @Override
          public void again() throws Exception {
            startAdapter(OFTEN);
          }

          @Override
          public boolean isNovas() {
            return false;
          }
        });
  }

  @Test
  void rabbitIsKilledAtEachStep() throws Exception {
    assertSurvived("rabbit", service("rabbit"));
  }

  @Test
  void placementIsKilledAtEachStep() throws Exception {
    assertSurvived("placement", service("placement"));
  }

  /** The adapter compares by itself in an hour: what happens, notifications have caused. */
  @Test
  void aNotificationEndsALeaseAndAForgedOneDoesNot() throws Exception {
    startAdapter("1h");
    Patience.until(
        "notifications are heard", () -> outboard.errors().contains("notifications come from"));
    String machine = cloud.boot("heard", FLAVOR);
    String lease = lease(machine);
    String forged =
        """
        {"event_type": "instance.delete.end",
         "payload": {"nova_object.namespace": "nova", "nova_object.data": {"uuid": "%s"}}}
        """
            .formatted(machine);
    byte[] envelope = JSON.writeValueAsBytes(Map.of("oslo.version", "2.0", "oslo.message", forged));
    publish(envelope, "{".getBytes(UTF_8), new byte[0], envelope);
    String other = cloud.boot("other", FLAVOR);
    assertEquals(lease, lease(machine));
    assertTrue(cloud.deletes(machine));
    Patience.until(() -> "its lease ends" + errors(), () -> leases(machine).isEmpty());
    // One that is too long costs the connection, and another one is made.
    publish(new byte[2 << 20]);
    Patience.until(
        "notifications are heard again",
        () -> outboard.errors().split("notifications come from", -1).length > 2);
    String another = lease(other);
    assertEquals(List.of(another), leases(other));
    assertTrue(cloud.deletes(other));
    Patience.until(() -> "its lease ends" + errors(), () -> leases(other).isEmpty());
  }

  private static void publish(byte[]... bodies) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri("amqp://guest:guest@127.0.0.1:25673");
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      for (byte[] body : bodies) {
        channel.basicPublish("nova", "versioned_notifications.info", null, body);
      }
    }
  }

  /** Rows of one GPU follow each other. */
  private static void assertNothingIsChargedTwice() throws Exception {
    Map<String, Long> until = new HashMap<>();
    for (JsonNode row : ask("/v1/usage").get("rows")) {
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
