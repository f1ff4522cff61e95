// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A backend with two software GPUs, and the services by which pods of a cluster lease them. */
final class KubernetesPool implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> OVER = Set.of("released", "revoked", "expired");
  private static final String IMAGE = "outboard-client:test";

  private final Path home;
  private final SmallKubernetes cluster;
  private final Launcher outboard;
  private final String socket;
  private final String listen = "tcp://127.0.0.1:" + FreePort.next();
  private final String api = "http://127.0.0.1:" + FreePort.next();
  private final String webhook = "https://127.0.0.1:" + FreePort.next();
  private final String token;
  private Process office;
  private Process adapter;
  private Process plugin;

  /** Starts the backend, and has the cluster know of it and of the images. */
  KubernetesPool(Path home, SmallKubernetes cluster) throws Exception {
    this.home = home;
    this.cluster = cluster;
    outboard = new Launcher(home);
    socket = home.resolve("socket").toString();
    outboard.set("OUTBOARD", "unix:" + socket);
    startOffice();
    token = says("token", "create", "--role=operator", "--for=1d");
    secret("token", token);
    says("cert", "server", "--folder=" + home.resolve("tls"), "127.0.0.1");
    makeImages();
    introduce();
  }

  private String says(String... words) throws Exception {
    Program.Ended ended = outboard.run(words);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }

  private void secret(String name, String text) throws IOException {
    Files.writeString(home.resolve(name), text);
    Files.setPosixFilePermissions(home.resolve(name), PosixFilePermissions.fromString("rw-------"));
  }

  private String file(String name) {
    return home.resolve(name).toString();
  }

  /** The client's image, and one with a program. */
  private void makeImages() throws Exception {
    script("conformance/engine/root", file("base.tar"), "sh", "cp", "sleep", vectorAdd());
    script("cli/sh/client.sh", Home.PATH.resolve("frontend/target").toString(), "test", client());
    script("cli/sh/image.sh", file("base.tar"), client(), IMAGE, file("client.tar"), "/bin/sh");
    cluster.image(home.resolve("client.tar"));
    run(
        "python3",
        path("conformance/kubernetes/image.py"),
        "localhost/app:1",
        file("app.tar"),
        file("base.tar"),
        "/bin/sh");
    cluster.image(home.resolve("app.tar"));
    Path folder = Files.createDirectory(home.resolve("client"));
    run("tar", "-xzf", client(), "--strip-components=1", "-C", folder.toString());
  }

  private static String vectorAdd() {
    return Home.VECTOR_ADD.toString();
  }

  private String client() {
    return file("client.tar.gz");
  }

  private static String path(String name) {
    return Home.PATH.resolve(name).toString();
  }

  private static void script(String name, String... words) throws Exception {
    run(Stream.concat(Stream.of("sh", path(name)), Stream.of(words)).toArray(String[]::new));
  }

  private static void run(String... command) throws Exception {
    Program.Ended ended = Program.run(List.of(command), Map.of());
    assertEquals(0, ended.status(), ended::toString);
  }

  /** The objects that a cluster has to have, and the account by which the adapter asks it. */
  private void introduce() throws Exception {
    String objects =
        says(
            "kubernetes",
            "manifests",
            "--webhook-ca=" + file("tls/ca.pem"),
            "--webhook-url=" + webhook + "/v1/pods",
            "--failure-policy=Fail");
    Files.writeString(home.resolve("outboard.yaml"), objects);
    cluster.get("apply", "-f", file("outboard.yaml"));
    cluster.get("label", "namespace", "default", "outboard.io/pods=enabled");
    String account = "{.secrets[0].name}";
    String[] ask = {
      "-n", "outboard", "get", "serviceaccount", "outboard", "-o", "jsonpath=" + account
    };
    Patience.until("the account has a token", () -> !cluster.get(ask).isEmpty());
    String data =
        cluster.get(
            "-n", "outboard", "get", "secret", cluster.get(ask), "-o", "jsonpath={.data.token}");
    String password = new String(Base64.getDecoder().decode(data), UTF_8);
    secret(
        "account.conf",
        Files.readString(cluster.kubeconfig())
            .replaceAll("token: .*", "token: " + password + "}}]"));
  }

  void startOffice() throws IOException {
    office =
        outboard.start(
            "serve",
            "--device=software:a100*2",
            "--require-lease",
            "--api-rate=100000",
            "--listen=unix:" + socket,
            "--listen=" + listen,
            "--api=" + api,
            "--state=" + home.resolve("state"));
    awaitLine(office, "api at ");
  }

  /**
   * Starts the adapter.
   *
   * @param life for how long leases go on without it
   */
  void startAdapter(String life, String... more) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "serve",
                "--kubeconfig=" + file("account.conf"),
                "--listen=" + webhook,
                "--tls-cert=" + file("tls/server.pem"),
                "--client-image=" + IMAGE,
                "--interval=2s",
                "--life=" + life));
    words.addAll(List.of(more));
    adapter = outboard.start(kubernetes(words));
    awaitLine(adapter, "pods at ");
  }

  void startPlugin() throws IOException {
    plugin =
        outboard.start(
            kubernetes(
                List.of(
                    "plugin",
                    "--socket=" + socket,
                    "--client=" + file("client"),
                    "--interval=2s")));
  }

  private String[] kubernetes(List<String> words) {
    return Stream.concat(
            Stream.of("kubernetes", "--api=" + api, "--api-token-file=" + file("token")),
            words.stream())
        .toArray(String[]::new);
  }

  private void awaitLine(Process process, String prefix) throws IOException {
    var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    String unused = outboard.awaitLine(lines, prefix);
  }

  void killOffice() throws InterruptedException {
    int unused = office.destroyForcibly().waitFor();
  }

  void killAdapter() throws InterruptedException {
    int unused = adapter.destroyForcibly().waitFor();
  }

  void killPlugin() throws InterruptedException {
    int unused = plugin.destroyForcibly().waitFor();
  }

  /** Ends those that the cluster talks to. */
  void endServices() {
    Stream.of(Optional.ofNullable(adapter), Optional.ofNullable(plugin))
        .flatMap(Optional::stream)
        .forEach(KubernetesPool::end);
  }

  private static void end(Process process) {
    process.destroy();
    Process unused = process.onExit().join();
  }

  /** The leases that are not over. */
  List<JsonNode> leases() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(api + "/v1/leases"))
              .header("Authorization", "Bearer " + token)
              .build();
      String answer = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      List<JsonNode> alive = new ArrayList<>();
      for (JsonNode lease : JSON.readTree(answer).get("leases")) {
        if (!OVER.contains(lease.get("state").asText())) {
          alive.add(lease);
        }
      }
      return alive;
    }
  }

  /** The services' words, for the message of an assertion. */
  String errors() {
    try {
      return ": " + outboard.errors();
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() {
    endServices();
    end(office);
  }
}
