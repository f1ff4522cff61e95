// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LogFormatTest {
  @TempDir private Path folder;

  private static Map<String, String> stream(Path file) throws Exception {
    Map<String, Object> is = Files.readAttributes(file, "unix:dev,ino");
    return Map.of(LogFormat.JOURNAL_STREAM, is.get("dev") + ":" + is.get("ino"));
  }

  /** The variable alone says nothing: standard error may be another one by now. */
  @Test
  void theJournalIsWrittenForWhereItReads() throws Exception {
    Path journal = Files.createFile(folder.resolve("journal"));
    Path other = Files.createFile(folder.resolve("other"));
    assertEquals(LogFormat.JOURNAL, LogFormat.usual(stream(journal), journal));
    assertEquals(LogFormat.TEXT, LogFormat.usual(stream(journal), other));
    assertEquals(LogFormat.TEXT, LogFormat.usual(stream(journal), folder.resolve("none")));
    assertEquals(LogFormat.TEXT, LogFormat.usual(Map.of(), journal));
  }

  @Test
  void linesHaveTheirPriorities() {
    assertEquals("<3>bad\n", line(Level.SEVERE, "bad"));
    assertEquals("<4>doubtful\n", line(Level.WARNING, "doubtful"));
    assertEquals("<6>usual\n", line(Level.INFO, "usual"));
    assertEquals("<7>closely\n", line(Level.FINE, "closely"));
  }

  @Test
  void eachLineOfATraceHasIt() {
    LogRecord failure = new LogRecord(Level.SEVERE, "failed");
    failure.setThrown(new IllegalStateException("so"));
    List<String> lines = new JournalLines().format(failure).lines().toList();
    assertEquals("<3>failed", lines.getFirst());
    assertEquals("<3>java.lang.IllegalStateException: so", lines.get(1));
    assertTrue(lines.stream().allMatch(line -> line.startsWith("<3>")), lines::toString);
  }

  /** Names, reasons and the like are strangers'. */
  @ParameterizedTest
  @EnumSource(LogFormat.class)
  void whatStrangersSaySteersNothing(LogFormat format) {
    LogRecord told = new LogRecord(Level.INFO, "lease {0}");
    told.setParameters(new Object[] {"a\nb\033[2J\u009b2J"});
    String line = format.formatter().format(told);
    assertFalse(line.contains("\nb"), line);
    assertFalse(line.contains("\033") || line.contains("\u009b"), line);
  }

  private static String line(Level level, String text) {
    return new JournalLines().format(new LogRecord(level, text));
  }
}
