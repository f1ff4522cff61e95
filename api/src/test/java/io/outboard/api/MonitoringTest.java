// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.outboard.backend.health.DeviceFigure;
import io.outboard.lease.Form;
import io.outboard.lease.account.Role;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages that monitoring and information systems read. */
final class MonitoringTest {
  @TempDir private Path folder;
  private TestServer server;
  private String reader;

  @BeforeEach
  void open() throws Exception {
    server = new TestServer(folder);
    reader = server.token(Role.READER, "");
    server.post("/v1/leases", server.token(Role.USER, "a"), "{\"seconds\": 60, \"share\": 0.25}");
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void figuresAreInTheTextFormatOfPrometheus() throws Exception {
    TestServer.Answer answer = server.get("/metrics", reader);
    assertEquals(200, answer.status());
    assertEquals("text/plain; version=0.0.4; charset=utf-8", answer.type());
    Set<String> declared = new HashSet<>();
    Set<String> series = new HashSet<>();
    for (String line : answer.body().lines().toList()) {
      if (line.startsWith("# TYPE ")) {
        assertTrue(declared.add(line.split(" ", 4)[2]), line);
      } else if (!line.startsWith("# HELP ")) {
        assertTrue(
            line.matches("outboard_[a-z_]+(\\{([a-z]+=\"([^\"\\\\]|\\\\.)*\",?)+})? [0-9.E+-]+"),
            line);
        assertTrue(declared.contains(line.split("[{ ]", 2)[0]), line);
        assertTrue(series.add(line.substring(0, line.lastIndexOf(' '))), line);
      }
    }
    assertTrue(
        answer.body().contains("outboard_gpu_leased_share{gpu=\"0\"} 0.250\n"), answer.body());
    assertTrue(answer.body().contains("outboard_leases{state=\"granted\"} 1\n"), answer.body());
    assertTrue(answer.body().contains("outboard_leases_granted_total 1\n"), answer.body());
    assertTrue(
        answer.body().contains("outboard_api_requests_total{status=\"2xx\"} 1\n"), answer.body());
    assertTrue(answer.body().contains("model=\"NVIDIA A100 \\\"test\\\"\""), answer.body());
    server.pool().failed("1", "it is lost");
    String after = server.get("/metrics", reader).body();
    assertTrue(after.contains("outboard_gpu_failed{gpu=\"0\"} 0\n"), after);
    assertTrue(after.contains("outboard_gpu_failed{gpu=\"1\"} 1\n"), after);
    assertEquals(401, server.get("/metrics", "").status());
  }

  @Test
  void refusalsAreCounted() throws Exception {
    String user = server.token(Role.USER, "a");
    assertEquals(422, server.post("/v1/leases", user, "{\"seconds\": 60, \"gpus\": 99}").status());
    String figures = server.get("/metrics", reader).body();
    assertTrue(figures.contains("outboard_leases_refused_total 1\n"), figures);
    assertTrue(figures.contains("outboard_links_lost_total 0\n"), figures);
  }

  @Test
  void figuresThatTheDriverDoesNotSayAreAbsent() throws Exception {
    server
        .pool()
        .state("GPU-1", Map.of(DeviceFigure.UTILIZATION, 37L, DeviceFigure.POWER, 70_123L));
    server.pool().busy("GPU-1", 1_500_000_000L);
    String figures = server.get("/metrics", reader).body();
    assertTrue(figures.contains("outboard_gpu_utilization_ratio{gpu=\"1\"} 0.37\n"), figures);
    assertTrue(figures.contains("outboard_gpu_power_watts{gpu=\"1\"} 70.123\n"), figures);
    assertTrue(figures.contains("outboard_gpu_busy_seconds_total{gpu=\"1\"} 1.500\n"), figures);
    assertFalse(figures.contains("outboard_gpu_utilization_ratio{gpu=\"0\"}"), figures);
    assertFalse(figures.contains("outboard_gpu_temperature_celsius{"), figures);
    JsonNode devices = server.get("/v1/devices", reader).json().get("devices");
    assertEquals(37, devices.get(1).get("utilization").asInt());
    assertTrue(devices.get(1).get("temperature").isNull());
    assertTrue(devices.get(0).get("utilization").isNull());
  }

  @Test
  void whatIsFreeIsPublishedAsItIs() throws Exception {
    assertEquals(List.of("FreeNumber=3", "FreeShare=3.750"), otherInfo());
    server.pool().ask("cordon", new Form().with("gpu", "0"));
    assertEquals(List.of("FreeNumber=3", "FreeShare=3.000"), otherInfo());
    server.pool().failed("1", "it is lost");
    assertEquals(List.of("FreeNumber=2", "FreeShare=2.000"), otherInfo());
  }

  private List<String> otherInfo() throws Exception {
    JsonNode manager =
        server.get("/glue.json", "").json().get("CloudComputingManagerAccelerator").get(0);
    return StreamSupport.stream(manager.get("OtherInfo").spliterator(), false)
        .map(JsonNode::asText)
        .toList();
  }

  @Test
  void theNodeDescribesItselfInGlue() throws Exception {
    JsonNode glue = server.get("/glue.json", "").json();
    JsonNode manager = glue.get("CloudComputingManagerAccelerator").get(0);
    assertEquals("GPU", manager.get("Type").asText());
    assertEquals(TestServer.GPUS, manager.get("TotalNumber").asInt());
    assertTrue(
        Instant.parse(manager.get("CreationTime").asText())
            .plusSeconds(manager.get("Validity").asLong())
            .isAfter(Instant.now().plusSeconds(3_000)));
    JsonNode kind = glue.get("CloudComputingVirtualAccelerator").get(0);
    assertEquals(80 << 10, kind.get("Memory").asInt());
    assertEquals("NVIDIA", kind.get("Vendor").asText());
    assertEquals("api-remoting", kind.get("VirtualizationType").asText());
  }
}
