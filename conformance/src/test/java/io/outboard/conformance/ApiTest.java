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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose leases are asked for over HTTP, as its operator and its users do. */
final class ApiTest {
  private static final String PROGRAM = Home.PROGRAMS.resolve("lease").toString();
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path home;
  private Launcher outboard;
  private Process backend;
  private String api;

  @BeforeEach
  void serve() throws IOException {
    outboard = new Launcher(home);
    backend =
        outboard.start(
            "serve",
            "--device=software:a100*2",
            "--api=http://127.0.0.1:0",
            "--log-format=json",
            "--state=" + home.resolve("state"));
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(backend.getInputStream(), UTF_8));
    assertTrue(lines.readLine().startsWith("serving "), outboard.errors());
    api = outboard.awaitLine(lines, "api at ");
  }

  @AfterEach
  void end() throws InterruptedException {
    backend.destroy();
    backend.waitFor();
  }

  private String says(String... arguments) throws Exception {
    Program.Ended ended = outboard.run(arguments);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }

  private String ask(String method, String path, String token, String body) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(api + path))
              .header("Authorization", "Bearer " + token)
              .header("Content-Type", "application/json")
              .method(method, HttpRequest.BodyPublishers.ofString(body))
              .build();
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      assertTrue(answer.statusCode() < 300, () -> answer.statusCode() + answer.body());
      return answer.body();
    }
  }

  @Test
  void aUserLeasesRunsAndIsAccountedFor() throws Exception {
    String token =
        says(
            "token",
            "create",
            "--role=user",
            "--tenant=alice",
            "--fqan=/vo.example.org/Role=user",
            "--for=1h");
    JsonNode lease =
        JSON.readTree(
            ask(
                "POST",
                "/v1/leases",
                token,
                """
                {"seconds": 600, "share": 0.5, "memory": 268435456, "consumerType": "vm",
                 "consumerId": "7d1c", "fqan": "/vo.example.org/Role=user", "site": "HERE"}"""));
    String path = "/v1/leases/" + lease.get("id").asText();
    assertEquals("unix:" + outboard.socket(), lease.get("endpoints").get(0).asText());
    assertEquals(
        "1 devices, 256 MiB, free 256 of 256",
        says("run", "--lease", lease.get("token").asText(), PROGRAM, "see"));
    checkViews();
    assertTrue(ask("POST", path + "/release", token, "{}").contains("\"released\""));
    checkRecord();
    assertTrue(says("token", "list").contains(" user "));
  }

  private void checkViews() throws Exception {
    assertTrue(says("top", "--once").startsWith("2 GPUs, 1 lease, 0 waiting"));
    JsonNode top = JSON.readTree(says("top", "--json", "--once"));
    assertEquals(0.5, top.get("devices").get(0).get("share").asDouble());
    assertEquals("alice", top.get("leases").get(0).get("tenant").asText());
    assertTrue(says("top").startsWith("2 GPUs"), "where there is no terminal");
    assertEquals(2, JSON.readTree(says("nodes", "--json")).get(0).get("gpus").asInt());
    assertTrue(says("nodes").contains("0.50"));
  }

  private void checkRecord() throws Exception {
    Path spool = home.resolve("spool");
    says("usage", "--format=apel", "--to=" + spool);
    try (Stream<Path> files = Files.list(spool)) {
      JsonNode message = JSON.readTree(Files.readString(files.findFirst().orElseThrow()));
      JsonNode record = message.get("UsageRecords").get(0);
      assertEquals("7d1c", record.get("AssociatedRecord").asText());
      assertEquals("/vo.example.org/Role=user", record.get("FQAN").asText());
      assertEquals(0.5, record.get("Count").asDouble());
    }
  }

  @Test
  void aBudgetHolds() throws Exception {
    says("tenant", "set", "alice", "--budget", "1h");
    Program.Ended refused = outboard.run("lease", "--for", "2h", "--tenant", "alice");
    assertEquals(1, refused.status(), refused::toString);
    assertTrue(refused.errors().contains("budget of tenant alice is 1.0"), refused::toString);
    assertTrue(says("tenant", "list").contains("1.00"));
    says("tenant", "set", "alice", "--no-budget");
    says("lease", "--for", "2h", "--tenant", "alice", "--apel-site", "HERE");
    String id = JSON.readTree(says("leases", "--json")).get(0).get("id").asText();
    says("release", id);
    Program.Ended doctor = outboard.run("doctor");
    assertTrue(doctor.output().contains(id + " lacks a consumer that is a VM"), doctor::toString);
  }

  @Test
  void theLogIsLinesOfJson() throws Exception {
    says("devices");
    for (String line : outboard.errors().lines().toList()) {
      JsonNode event = JSON.readTree(line);
      assertEquals("outboard", event.get("logger").asText(), line);
      assertTrue(event.get("message").asText().contains("session"), line);
    }
    assertTrue(outboard.errors().contains("\"level\": \"INFO\""), outboard.errors());
  }

  @Test
  void wrongOptionsAreSaid() throws Exception {
    for (String wrong :
        new String[] {"--api-clients=x", "--api=ftp://a:1", "--api-rate=x", "--api=nowhere"}) {
      assertEquals(2, outboard.run("serve", wrong).status(), wrong);
    }
    Program.Ended open =
        outboard.run(
            "serve",
            "--device=software",
            "--listen=unix:" + home.resolve("other"),
            "--api=http://0.0.0.0:0",
            "--state=" + home.resolve("more"));
    assertEquals(1, open.status(), open::toString);
    assertTrue(open.errors().contains("not encrypted"), open::toString);
    Program.Ended consumer = outboard.run("lease", "--consumer", "7d1c");
    assertEquals(2, consumer.status(), consumer::toString);
  }
}
