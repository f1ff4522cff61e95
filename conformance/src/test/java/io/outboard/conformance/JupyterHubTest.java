// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real JupyterHub, each of whose servers has a lease of its own, as docs/jupyter.md says. */
final class JupyterHubTest {
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";

  /** The hub, its proxy and the servers are of Debian's Python. */
  private static final String PYTHON = "/usr/bin/python3";

  @TempDir private Path home;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private WheelPool pool;
  private String api;
  private Process hub;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(
        Program.isHere("jupyterhub") && Program.isHere("configurable-http-proxy"),
        "JupyterHub is not installed (package jupyterhub)");
    pool = new WheelPool(Files.createDirectory(home.resolve("user")));
    int port = FreePort.next();
    api = "http://127.0.0.1:%d/hub/api".formatted(port);
    Files.writeString(
        home.resolve("jupyterhub_config.py"),
        """
        c.JupyterHub.bind_url = "http://127.0.0.1:%d"
        c.JupyterHub.hub_bind_url = "http://127.0.0.1:%d"
        c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:%d"
        c.JupyterHub.authenticator_class = "dummy"
        c.JupyterHub.spawner_class = "simple"
        c.JupyterHub.cleanup_servers = False
        c.JupyterHub.services = [{"name": "test", "api_token": "%s"}]
        c.JupyterHub.load_roles = [{"name": "tester", "services": ["test"],
            "scopes": ["admin:users", "admin:servers"]}]
        c.Spawner.http_timeout = c.Spawner.start_timeout = 300
        c.Spawner.poll_interval = 1
        c.Spawner.args = ["--allow-root"]
        c.Spawner.env_keep = [%s]
        c.Spawner.cmd = ["%s", "-m", "outboard", "lease", "--gpus=1", "--", "jupyterhub-singleuser"]
        """
            .formatted(port, FreePort.next(), FreePort.next(), TOKEN, names(), PYTHON));
    startHub();
  }

  private String names() {
    return Stream.concat(Stream.of("PATH"), pool.variables().keySet().stream())
        .map(name -> '"' + name + '"')
        .collect(Collectors.joining(", "));
  }

  private void startHub() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("jupyterhub", "--config=" + home.resolve("jupyterhub_config.py"))
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve("hub.log").toFile()));
    Program.setVariables(builder, pool.variables());
    builder.environment().put("NODE_PATH", "/usr/share/nodejs");
    hub = builder.start();
    Patience.until("the hub answers", this::isThere);
  }

  private boolean isThere() throws InterruptedException {
    try {
      return ask("GET", "").statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private HttpResponse<String> ask(String method, String path)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(api + path))
            .header("Authorization", "token " + TOKEN)
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @AfterEach
  void end() throws Exception {
    if (hub != null) {
      hub.descendants().forEach(ProcessHandle::destroy);
      hub.destroy();
      Patience.exit(hub);
    }
    if (pool != null) {
      pool.close();
    }
  }

  @Test
  void aServerHasItsLeaseUntilItIsStoppedThoughTheHubIsKilled() throws Exception {
    assertEquals(201, ask("POST", "/users/ada").statusCode());
    HttpResponse<String> unused = ask("POST", "/users/ada/server");
    Patience.until("its server has a GPU", () -> pool.leases().size() == 1);
    String lease = leased();
    Patience.until("its server is ready", this::isReady);
    hub.destroyForcibly().waitFor();
    startHub();
    Patience.until("the hub knows the server again", this::isReady);
    assertEquals(lease, leased());
    HttpResponse<String> stopped = ask("DELETE", "/users/ada/server");
    assertEquals(2, stopped.statusCode() / 100, stopped::body);
    Patience.until("the GPU is free", () -> pool.leases().isEmpty());
  }

  private String leased() throws Exception {
    return pool.leases().get(0).get("id").asText();
  }

  private boolean isReady() throws IOException, InterruptedException {
    return ask("GET", "/users/ada").body().contains("\"ready\": true");
  }
}
