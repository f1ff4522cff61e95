// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.backend.health.DeviceFigure;
import io.outboard.lease.account.Role;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures in operators' monitoring: rules, dashboards and a real Prometheus. */
final class PrometheusTest {
  private static final Path MONITORING = Path.of("..", "adapters", "monitoring");
  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
  private static final Path PROMETHEUS = Path.of("/usr/bin/prometheus");
  private static final Pattern FAMILY = Pattern.compile("\\boutboard_[a-z_]+\\b");

  /** While it starts. */
  private static final String NOTHING = "{\"status\": \"success\", \"data\": {\"result\": []}}";

  @TempDir private Path folder;

  private static List<String> queries() throws IOException {
    List<String> queries = new ArrayList<>();
    for (String name : List.of("grafana-pool.json", "grafana-leases.json")) {
      JsonNode board = new ObjectMapper().readTree(MONITORING.resolve(name).toFile());
      board
          .get("panels")
          .forEach(
              panel -> panel.get("targets").forEach(one -> queries.add(one.get("expr").asText())));
    }
    return queries;
  }

  /** Each figure that a rule or a dashboard names is one that the server declares. */
  @Test
  void rulesAndDashboardsNameFiguresThatThereAre() throws Exception {
    Set<String> named = new TreeSet<>();
    for (String text :
        List.of(String.join("\n", queries()), Files.readString(MONITORING.resolve("alerts.yml")))) {
      FAMILY.matcher(text).results().forEach(found -> named.add(found.group()));
    }
    assertTrue(named.size() > 20, named::toString);
    try (TestServer server = new TestServer(folder)) {
      String figures = server.get("/metrics", server.token(Role.READER, "")).body();
      Set<String> declared =
          figures
              .lines()
              .filter(line -> line.startsWith("# TYPE "))
              .map(line -> line.split(" ", 4)[2])
              .collect(Collectors.toSet());
      named.removeAll(declared);
      assertEquals(Set.of(), named);
    }
  }

  @Test
  void rulesFireWhenTheyAreTo() throws Exception {
    assumeTrue(Files.isExecutable(PROMTOOL), "Prometheus is not installed");
    Process test =
        new ProcessBuilder(PROMTOOL.toString(), "test", "rules", "alerts-test.yml")
            .directory(MONITORING.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(test.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, test.waitFor(), said);
  }

  /** A real one takes the figures, and each query of the dashboards has an answer. */
  @Test
  @Tag("long")
  void prometheusScrapesAndEachQueryOfADashboardRuns() throws Exception {
    assumeTrue(Files.isExecutable(PROMETHEUS), "Prometheus is not installed");
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    try (TestServer server = new TestServer(folder)) {
      server.post("/v1/leases", server.token(Role.USER, "ada"), "{\"seconds\": 600}");
      server.pool().state("GPU-0", Map.of(DeviceFigure.UTILIZATION, 37L));
      Process prometheus = start(server, port);
      try {
        Patience.until("a scrape", () -> !asked(port, "up{job=\"outboard\"} == 1").isEmpty());
        assertFalse(asked(port, "outboard_lease_idle_seconds{tenant=\"ada\"} >= 0").isEmpty());
        assertEquals(
            "0.37",
            asked(port, "outboard_gpu_utilization_ratio").get(0).get("value").get(1).asText());
        for (String query : queries()) {
          JsonNode unused = asked(port, query.replace("$instance", ".*"));
        }
        JsonNode rules = get(port, "/api/v1/rules").get("data").get("groups").get(0).get("rules");
        assertEquals(9, rules.size());
        rules.forEach(rule -> assertEquals("", rule.path("lastError").asText(), rule::toString));
      } finally {
        prometheus.destroyForcibly().waitFor();
      }
    }
  }

  private Process start(TestServer server, int port) throws IOException {
    Path token = Files.writeString(folder.resolve("token"), server.token(Role.READER, ""));
    Path configuration =
        Files.writeString(
            folder.resolve("prometheus.yml"),
            """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: [%s]
            scrape_configs:
              - job_name: outboard
                authorization: {credentials_file: %s}
                static_configs: [{targets: ["127.0.0.1:%d"]}]
            """
                .formatted(
                    MONITORING.resolve("alerts.yml").toAbsolutePath().normalize(),
                    token,
                    server.uri().getPort()));
    return new ProcessBuilder(
            PROMETHEUS.toString(),
            "--config.file=" + configuration,
            "--storage.tsdb.path=" + folder.resolve("tsdb"),
            "--web.listen-address=127.0.0.1:" + port)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("prometheus.log").toFile())
        .start();
  }

  /** The series of an answer. */
  private static JsonNode asked(int port, String query) throws IOException, InterruptedException {
    String path = "/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8);
    JsonNode answer = get(port, path);
    assertEquals("success", answer.path("status").asText(), () -> query + ": " + answer);
    return answer.get("data").get("result");
  }

  private static JsonNode get(int port, String path) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + port + path);
      HttpRequest request = HttpRequest.newBuilder(uri).timeout(Patience.LIMIT).build();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      return new ObjectMapper().readTree(answer.statusCode() == 503 ? NOTHING : answer.body());
    } catch (ConnectException e) {
      return new ObjectMapper().readTree(NOTHING);
    }
  }
}
