// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.api.http.AddressBlock;
import io.outboard.api.json.Ordered;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit log keeps the right lines, and nobody can fill a disk with it. */
final class AuditLogTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final long MOST_A_DAY = 10_000_000;

  @TempDir private Path folder;
  private Instant now = Instant.parse("2026-11-21T12:00:00Z");
  private final InstantSource clock = () -> now;

  private List<String> lines(String name) throws IOException {
    return Files.readAllLines(folder.resolve(name));
  }

  private static AddressBlock address(String text) throws IOException {
    return AddressBlock.of(InetAddress.getByName(text));
  }

  private static Map<String, Object> line(String path) {
    return Ordered.of("address", "192.0.2.1", "path", path, "status", 401);
  }

  private long bytes() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void repeatedRefusalsAreOneLineWithTheirCount() throws Exception {
    try (AuditLog log = new AuditLog(folder, clock)) {
      for (int i = 0; i < 412 + Refusals.LINES; i++) {
        log.refused(address("192.0.2.1"), line("/v1/" + i));
      }
      assertEquals(Refusals.LINES, lines(AuditLog.REFUSED).size());
      now = now.plus(Refusals.MINUTE);
      log.tell();
      JsonNode fold = new ObjectMapper().readTree(lines(AuditLog.REFUSED).getLast());
      assertEquals("412 more from this address in the last minute", fold.get("event").asText());
      assertEquals(412, fold.get("refused").asInt());
      assertEquals("192.0.2.1", fold.get("address").asText());
    }
  }

  @Test
  void theCountOfTheLastMinuteIsToldAtTheEnd() throws Exception {
    try (AuditLog log = new AuditLog(folder, clock)) {
      for (int i = 0; i <= Refusals.LINES; i++) {
        log.refused(address("192.0.2.1"), line("/"));
      }
    }
    assertTrue(lines(AuditLog.REFUSED).getLast().contains("1 more from this address"));
  }

  @Test
  void addressesOfOneNetworkAreOneAddress() throws Exception {
    try (AuditLog log = new AuditLog(folder, clock)) {
      for (int i = 1; i < 100; i++) {
        log.refused(address("2001:db8:1:2::" + Integer.toHexString(i)), line("/"));
      }
      assertEquals(Refusals.LINES, lines(AuditLog.REFUSED).size());
      log.refused(address("2001:db8:1:3::1"), line("/"));
      assertEquals(Refusals.LINES + 1, lines(AuditLog.REFUSED).size());
    }
  }

  @Test
  void manyAddressesCountTogether() throws Exception {
    try (AuditLog log = new AuditLog(folder, clock)) {
      for (int i = 0; i < 20_000; i++) {
        log.refused(address("10.%d.%d.1".formatted(i / 250, i % 250)), line("/"));
      }
      assertEquals(Refusals.ADDRESSES + Refusals.LINES, lines(AuditLog.REFUSED).size());
      now = now.plus(Refusals.MINUTE);
      log.tell();
      assertTrue(lines(AuditLog.REFUSED).getLast().contains("more from other addresses"));
      assertEquals(Refusals.ADDRESSES + Refusals.LINES + 1, lines(AuditLog.REFUSED).size());
    }
  }

  @Test
  void oneAddressWritesLittleInADayWhateverItSends() throws Exception {
    long linesOfAMinute = Refusals.LINES + 1;
    long bound = DAY.dividedBy(Refusals.MINUTE) * linesOfAMinute * AuditBook.MOST_LINE;
    assertTrue(bound < MOST_A_DAY, "bytes a day: " + bound);
    try (AuditLog log = new AuditLog(folder, clock)) {
      for (int minute = 0; minute < 30; minute++, now = now.plus(Refusals.MINUTE)) {
        for (int i = 0; i < 500; i++) {
          log.refused(address("192.0.2.1"), line("/" + "\u0001\u00e9\ud83d\ude00".repeat(i)));
        }
      }
      log.tell();
      assertTrue(bytes() <= 30 * linesOfAMinute * AuditBook.MOST_LINE, "bytes: " + bytes());
    }
  }

  @Test
  void noTextMakesALineOfItsOwnOrALongOne() throws Exception {
    String hostile = "x\n{\"status\": 200}\r\u2028\u0000\"\\".repeat(5_000);
    Map<String, Object> all = Ordered.of();
    for (String name :
        List.of("time", "address", "token", "role", "tenant", "operation", "path", "a", "b")) {
      all.put(name, hostile);
    }
    try (AuditLog log = new AuditLog(folder, clock)) {
      log.changed(true, all);
      log.changed(true, line("/"));
    }
    byte[] whole = Files.readAllBytes(folder.resolve(AuditLog.OPERATORS));
    assertEquals(2, lines(AuditLog.OPERATORS).size());
    assertTrue(whole.length <= 2 * AuditBook.MOST_LINE, "bytes: " + whole.length);
    JsonNode line = new ObjectMapper().readTree(lines(AuditLog.OPERATORS).getFirst());
    assertTrue(hostile.startsWith(line.get("path").asText()));
  }

  @Test
  void refusalsNeverPushOutChanges() throws Exception {
    try (AuditLog log = new AuditLog(folder, clock)) {
      log.changed(true, line("/v1/tokens"));
      log.changed(false, line("/v1/leases"));
      for (int i = 0; i < 40_000; i++) {
        AddressBlock address = address("10.0.%d.%d".formatted(i / 50 % 250, i % 50));
        log.refused(address, line("/" + "x".repeat(600)));
        if (i % 500 == 0) {
          now = now.plus(Refusals.MINUTE);
        }
      }
      assertTrue(bytes() <= AuditLog.MOST_BYTES, "bytes: " + bytes());
    }
    assertEquals(1, lines(AuditLog.OPERATORS).size());
    assertEquals(1, lines(AuditLog.USERS).size());
  }

  @Test
  void fullFilesAreRenamedAndTheOldestGoes() throws Exception {
    Path path = folder.resolve("a.jsonl");
    try (AuditFile file = new AuditFile(path, 100, 3)) {
      for (int i = 0; i < 100; i++) {
        file.add("line %4d".formatted(i));
      }
    }
    assertTrue(bytes() <= 300, "bytes: " + bytes());
    assertEquals("line   99", lines("a.jsonl").getLast());
    assertEquals("line   89", lines("a.jsonl.1").getLast());
    assertEquals("line   79", lines("a.jsonl.2").getLast());
    assertFalse(Files.exists(folder.resolve("a.jsonl.3")));
  }

  @Test
  void linesThatAreLostAreCountedUntilThereIsRoomAgain() throws Exception {
    Path path = folder.resolve(AuditLog.OPERATORS);
    Files.createSymbolicLink(path, Path.of("/dev/full"));
    try (AuditLog log = new AuditLog(folder, clock)) {
      assertTrue(log.works(), "nothing is known yet");
      log.changed(true, line("/1"));
      log.changed(true, line("/2"));
      assertFalse(log.works());
      assertEquals(2, log.lost());
      log.changed(false, line("/3"));
      assertEquals(2, log.lost(), "the other books have room");
      Files.delete(path);
      assertTrue(log.works(), "there is room again");
      log.changed(true, line("/4"));
      assertEquals(2, log.lost());
    }
    assertEquals(2, lines(AuditLog.OPERATORS).size());
    assertTrue(lines(AuditLog.OPERATORS).getFirst().contains("2 lines could not be written"));
  }

  @Test
  void aLineThatWasCutIsNotGoneOnWith() throws Exception {
    Files.writeString(folder.resolve(AuditLog.OPERATORS), "{\"time\": \"20");
    try (AuditLog log = new AuditLog(folder, clock)) {
      log.changed(true, line("/"));
    }
    assertEquals(2, lines(AuditLog.OPERATORS).size());
  }
}
