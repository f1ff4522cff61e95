// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.api.telemetry.Collector;
import io.outboard.api.telemetry.Telemetry;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.account.Role;
import io.outboard.patience.Patience;
import io.outboard.pool.Pool;
import io.outboard.pool.broker.EndedSession;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A collector of OpenTelemetry has figures and traces, and nobody waits for it. */
final class TelemetryTest {
  private static final Pattern SAMPLE = Pattern.compile("(outboard_\\w+)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Duration OFTEN = Duration.ofMillis(100);

  @TempDir private Path folder;

  private TestServer serving(Collector collector) throws Exception {
    return new TestServer(
        folder, TestServer.pool(folder), server -> server.collector(collector).figuresEach(OFTEN));
  }

  private static EndedSession session(Pool pool) throws Exception {
    Lease lease =
        pool.leases()
            .request(LeaseRequest.builder().tenant("ada").duration(Duration.ofMinutes(5)).build());
    Instant begin = Instant.parse("2026-11-28T12:00:00Z");
    return new EndedSession(
        lease,
        "train (process 7)",
        begin,
        begin.plusSeconds(90),
        new SessionFigures(41, 1_000, 2_000),
        "cuLaunchKernel 40 cuInit 1");
  }

  /** By family and labels, as the receiver has them. */
  private static Map<String, Double> figures(String text) {
    Map<String, Double> figures = new TreeMap<>();
    for (String line : text.lines().toList()) {
      Matcher sample = SAMPLE.matcher(line);
      if (!line.startsWith("#") && sample.matches()) {
        Map<String, String> labels = new TreeMap<>();
        Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
        while (label.find()) {
          labels.put(label.group(1), label.group(2).replace("\\\"", "\""));
        }
        figures.put(sample.group(1) + labels, Double.valueOf(sample.group(3)));
      }
    }
    return figures;
  }

  @Test
  void aCollectorHasTheFiguresOfMetricsAndATraceOfEachSession() throws Exception {
    try (OtlpReceiver receiver = new OtlpReceiver();
        TestServer server =
            serving(Collector.of(receiver.uri().toString(), "Authorization=Bearer of-ours"))) {
      EndedSession session = session(server.pool());
      Map<String, Double> wanted =
          figures(server.get("/metrics", server.token(Role.READER, "")).body());
      assertTrue(wanted.size() > 40, wanted::toString);
      Patience.until("all figures", () -> receiver.figures.keySet().containsAll(wanted.keySet()));
      assertEquals(4.0, sum(receiver.figures, "outboard_gpu_info{"));
      assertEquals(1.0, sum(receiver.figures, "outboard_leases_granted_total{"));
      server.pool().ended(session);
      server.pool().ended(session);
      OtlpReceiver.Span span = receiver.spans.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
      assertEquals("session", span.name());
      assertEquals(Duration.ofSeconds(90).toNanos(), span.nanos());
      assertEquals("ada", span.attributes().get("outboard.tenant"));
      assertEquals(session.lease().id(), span.attributes().get("outboard.lease"));
      assertEquals("41", span.attributes().get("outboard.calls"));
      assertEquals("train (process 7)", span.attributes().get("outboard.client"));
      assertEquals("cuLaunchKernel 40 cuInit 1", span.attributes().get("outboard.functions"));
      OtlpReceiver.Span other = receiver.spans.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
      assertNotEquals(span.trace(), other.trace());
      assertEquals("Bearer of-ours", receiver.tokens.take());
    }
  }

  private static double sum(Map<String, Double> figures, String family) {
    return figures.entrySet().stream()
        .filter(one -> one.getKey().startsWith(family))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** It accepts connections and never answers: sessions end, and what is too much is left out. */
  @Test
  void nobodyWaitsForACollectorThatDoesNotAnswer() throws Exception {
    try (ServerSocket silent = new ServerSocket(0)) {
      TestServer server = serving(Collector.of("http://127.0.0.1:" + silent.getLocalPort(), ""));
      EndedSession session = session(server.pool());
      for (int number = 0; number < 4 * Telemetry.MOST_SPANS; number++) {
        server.pool().ended(session);
      }
      assertEquals(200, server.get("/metrics", server.token(Role.READER, "")).status());
      server.close();
    }
  }

  @Test
  void aCollectorIsAnHttpServer() {
    for (String wrong : List.of("127.0.0.1:4318", "grpc://here:4317", "http://", "http://a?b")) {
      assertThrows(IllegalArgumentException.class, () -> Collector.of(wrong, ""), wrong);
    }
    assertThrows(IllegalArgumentException.class, () -> Collector.of("http://a", "nothing"));
    assertEquals(Map.of("a", "1", "b", "2=3"), Collector.of("http://a", "a=1, b=2=3").headers());
  }
}
