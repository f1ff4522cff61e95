// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A backend with two software GPUs, whose HTTP interface the jobs of a cluster lease them by. */
final class JobPool implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path home;
  private final SlurmCluster cluster;
  private final Launcher outboard;
  private final String token;
  private Process backend;
  private String listen = "tcp://127.0.0.1:" + FreePort.next();
  private String api = "http://127.0.0.1:" + FreePort.next();

  /** Starts one in an empty folder, and has the cluster's adapter use it. */
  JobPool(Path home, SlurmCluster cluster) throws Exception {
    this.home = home;
    this.cluster = cluster;
    outboard = new Launcher(home);
    serve();
    token = says("token", "create", "--role=user", "--tenant=slurm", "--for=1d");
    configure("");
  }

  /** Starts it, with the state of the last one and at its places. */
  void serve() throws IOException {
    backend =
        outboard.start(
            "serve",
            "--device=software:a100*2",
            "--require-lease",
            "--grace=0",
            "--api-rate=100000",
            "--listen=" + listen,
            "--api=" + api,
            "--state=" + home.resolve("state"));
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(backend.getInputStream(), UTF_8));
    listen = "tcp://" + outboard.awaitLine(lines, "serving ").replaceAll(".*tcp://", "");
    api = outboard.awaitLine(lines, "api at ");
  }

  /** Ends it by SIGKILL. */
  void kill() throws InterruptedException {
    backend.destroyForcibly().waitFor();
  }

  /** Writes the adapter's settings. */
  void configure(String more) throws IOException {
    cluster.configure(token, "api = " + api + "\nwait = 2s\n" + more);
  }

  /** The output of a command, which succeeds. */
  String says(String... arguments) throws Exception {
    Program.Ended ended = outboard.run(arguments);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }

  /** All leases of jobs, also those that are over. */
  List<JsonNode> leases() throws Exception {
    return ask("leases?all=true", "leases");
  }

  private List<JsonNode> ask(String what, String name) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(api + "/v1/" + what))
              .header("Authorization", "Bearer " + token)
              .build();
      String answer = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      List<JsonNode> all = new ArrayList<>();
      JSON.readTree(answer).get(name).forEach(all::add);
      return all;
    }
  }

  static boolean isAlive(JsonNode lease) {
    return !Set.of("released", "revoked", "expired").contains(lease.get("state").asText());
  }

  /** How many leases of jobs are not over. */
  long living() throws Exception {
    return leases().stream().filter(JobPool::isAlive).count();
  }

  /** The lease of a job that has one. */
  JsonNode lease(String job) throws Exception {
    return leases().stream()
        .filter(JobPool::isAlive)
        .filter(lease -> lease.get("consumerId").asText().equals("trial/" + job))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no lease of job " + job + cluster.logs()));
  }

  JsonNode find(String lease) throws Exception {
    return leases().stream()
        .filter(each -> each.get("id").asText().equals(lease))
        .findFirst()
        .orElseThrow();
  }

  /** A lease's state and the reason for it. */
  String state(String lease) throws Exception {
    JsonNode found = find(lease);
    return found.get("state").asText() + " " + found.get("reason").asText();
  }

  /** Jobs have whole GPUs: no two rows of a GPU are of the same time. */
  void assertNothingIsCountedTwice() throws Exception {
    Map<String, List<JsonNode>> rows =
        ask("usage?limit=1000", "rows").stream()
            .sorted(Comparator.comparing(row -> row.get("from").asText()))
            .collect(Collectors.groupingBy(row -> row.get("gpu").asText()));
    for (List<JsonNode> gpu : rows.values()) {
      for (int i = 1; i < gpu.size(); i++) {
        String before = gpu.get(i - 1).get("to").asText();
        assertTrue(before.compareTo(gpu.get(i).get("from").asText()) <= 0, gpu::toString);
      }
    }
  }

  @Override
  public void close() {
    backend.destroy();
    backend.onExit().join();
  }
}
