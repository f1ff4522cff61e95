// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.outboard.backend.health.DeviceFigure;
import io.outboard.lease.account.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages, sorted and searched, of whoever may see them. */
final class ConsoleViewsTest {
  @TempDir private Path folder;
  private TestServer server;
  private String operator;
  private String reader;

  @BeforeEach
  void open() throws Exception {
    server = new TestServer(folder);
    operator = server.token(Role.OPERATOR, "");
    reader = server.token(Role.READER, "ada");
    server.post("/v1/leases", server.token(Role.USER, "ada"), "{\"seconds\": 600, \"share\": 0.5}");
    server.post("/v1/leases", server.token(Role.USER, "bob"), "{\"seconds\": 600, \"gpus\": 2}");
    server.post("/v1/leases", server.token(Role.USER, "bob"), "{\"seconds\": 600, \"gpus\": 4}");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private JsonNode get(String path, String token) throws Exception {
    TestServer.Answer answer = server.get(path, token);
    assertEquals(200, answer.status(), answer::body);
    return answer.json();
  }

  private static List<String> column(JsonNode page, String name) {
    return StreamSupport.stream(page.get("rows").spliterator(), false)
        .map(row -> row.get(name).asText())
        .toList();
  }

  @Test
  void gpusAreSortedAndPaged() throws Exception {
    server.pool().state("GPU-2", Map.of(DeviceFigure.UTILIZATION, 90L));
    server.pool().state("GPU-0", Map.of(DeviceFigure.UTILIZATION, 10L));
    JsonNode all = get("/v1/views/gpus?sort=load&descending=true", reader);
    assertEquals(List.of("2", "0"), column(all, "number").subList(0, 2));
    JsonNode second = get("/v1/views/gpus?offset=1&limit=2", reader);
    assertEquals(4, second.get("total").asInt());
    assertEquals(List.of("1", "2"), column(second, "number"));
    assertEquals(List.of("3"), column(get("/v1/views/gpus?search=gpu-3", reader), "number"));
    assertEquals(0, get("/v1/views/gpus?offset=900", reader).get("rows").size());
    assertEquals(400, server.get("/v1/views/gpus?limit=100000", reader).status());
    assertEquals(400, server.get("/v1/views/gpus?sort=beauty", reader).status());
  }

  @Test
  void leasesAreThoseThatTheCallerMaySee() throws Exception {
    JsonNode own = get("/v1/views/leases", reader);
    assertEquals(List.of("ada"), column(own, "tenant"));
    assertTrue(own.get("rows").get(0).get("idleSeconds").asLong() >= 0);
    assertEquals(2, get("/v1/views/leases", operator).get("total").asInt());
    assertEquals(List.of("bob"), column(get("/v1/views/leases?search=BO", operator), "tenant"));
    assertEquals(0, get("/v1/views/leases?state=held", operator).get("total").asInt());
    assertEquals(0, get("/v1/views/queue", reader).get("total").asInt());
    JsonNode queue = get("/v1/views/queue", operator);
    assertEquals(List.of("room"), column(queue, "cause"));
    assertEquals(0, get("/v1/views/overview", reader).get("requested").asInt());
    assertEquals(1, get("/v1/views/overview", operator).get("requested").asInt());
  }

  @Test
  void theNodeIsARowWithSumsOfItsGpus() throws Exception {
    server.pool().failed("3", "it is lost");
    JsonNode nodes = get("/v1/views/nodes", reader);
    assertEquals(1, nodes.get("total").asInt());
    JsonNode row = nodes.get("rows").get(0);
    assertEquals(4, row.get("gpus").asInt());
    assertEquals(1, row.get("failed").asInt());
    assertEquals("present", row.get("state").asText());
    assertTrue(row.get("load").isNull());
  }

  @Test
  void usageIsSummedUpOverTime() throws Exception {
    JsonNode leases = get("/v1/views/leases?search=bob", operator);
    String id = leases.get("rows").get(0).get("id").asText();
    server.post("/v1/leases/" + id + "/release", operator, "{}");
    JsonNode usage = get("/v1/views/usage?by=tenant&days=1", operator);
    assertEquals("bob", usage.get("series").get(0).get("name").asText(), usage::toString);
    assertEquals(24, usage.get("moments").size());
    assertEquals(0, get("/v1/views/usage", reader).get("series").size());
  }

  @Test
  void theAuditLogIsReadFromItsEndByOperators() throws Exception {
    server.post("/v1/devices/3/cordon", operator, "{\"reason\": \"a fan\"}");
    server.post("/v1/devices/3/uncordon?node=nowhere", operator, "");
    JsonNode lines = get("/v1/views/audit?limit=1", operator).get("lines");
    assertEquals(1, lines.size());
    assertEquals("cordonDevice", lines.get(0).get("operation").asText());
    JsonNode refused = get("/v1/views/audit?book=refused", operator).get("lines");
    assertEquals("uncordonDevice", refused.get(0).get("operation").asText());
    assertEquals(403, server.get("/v1/views/audit", reader).status());
  }
}
