// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import io.outboard.wire.Printable;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Collectors;

/**
 * Lines of the log as journald reads them, each with its priority (sd-daemon(3)); time, process and
 * name are journald's own.
 */
final class JournalLines extends Formatter {
  private static final int ERROR = 3;
  private static final int WARNING = 4;
  private static final int INFORMATIONAL = 6;
  private static final int DEBUG = 7;

  @Override
  public String format(LogRecord line) {
    String priority = "<" + priority(line.getLevel()) + ">";
    Throwable thrown = line.getThrown();
    return (Printable.of(formatMessage(line))
            + "\n"
            + (thrown == null ? "" : LogFormat.trace(thrown)))
        .lines()
        .map(text -> priority + text + "\n")
        .collect(Collectors.joining());
  }

  private static int priority(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return ERROR;
    }
    if (level.intValue() >= Level.WARNING.intValue()) {
      return WARNING;
    }
    return level.intValue() >= Level.INFO.intValue() ? INFORMATIONAL : DEBUG;
  }
}
