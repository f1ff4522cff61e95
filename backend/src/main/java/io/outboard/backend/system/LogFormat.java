// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import io.outboard.wire.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/** How the log is written, by the daemon and its workers. */
public enum LogFormat {
  /** A line of text for each event. */
  TEXT,
  /** An object of JSON for each event, one a line. */
  JSON,
  /** A line of text for each event with its priority, as journald reads it. */
  JOURNAL;

  private static final String PROPERTY = "outboard.log.format";
  private static final String MANAGER = "java.util.logging.manager";
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  /** The variable by which systemd says what its journal reads: a device and an inode. */
  static final String JOURNAL_STREAM = "JOURNAL_STREAM";

  /**
   * Has the log of this process go on until it is gone. It comes before any class that can log: the
   * platform chooses its manager once.
   */
  public static void last() {
    System.setProperty(MANAGER, LastingLogManager.class.getName());
  }

  /**
   * The format where none is asked for: journald's if that reads standard error.
   *
   * @param environment this process's
   */
  public static LogFormat usual(Map<String, String> environment) {
    return usual(environment, STANDARD_ERROR);
  }

  static LogFormat usual(Map<String, String> environment, Path standardError) {
    String stream = environment.getOrDefault(JOURNAL_STREAM, "");
    return !stream.isEmpty() && stream.equals(identity(standardError)) ? JOURNAL : TEXT;
  }

  private static String identity(Path file) {
    try {
      Map<String, Object> is = Files.readAttributes(file, "unix:dev,ino");
      return is.get("dev") + ":" + is.get("ino");
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }

  /** Has this process write so, and the workers that get {@link #option}. */
  public void use() {
    System.setProperty(PROPERTY, name());
    Log.format();
  }

  /** The option of a worker's virtual machine that has it write so. */
  public String option() {
    return "-D" + PROPERTY + "=" + name();
  }

  /** The format that this process was told. */
  static LogFormat wanted() {
    return valueOf(System.getProperty(PROPERTY, TEXT.name()));
  }

  Formatter formatter() {
    return switch (this) {
      case TEXT -> new TextLines();
      case JSON -> new JsonLines();
      case JOURNAL -> new JournalLines();
    };
  }

  /** Lines as text, as the platform's property has them. */
  private static final class TextLines extends SimpleFormatter {
    /** A stranger's text in it neither looks like a line of ours nor steers a terminal. */
    @Override
    public String formatMessage(LogRecord line) {
      return Printable.of(super.formatMessage(line));
    }
  }

  static String trace(Throwable thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace));
    return trace.toString();
  }
}
