// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** Lines of the log as objects of JSON, one a line. */
final class JsonLines extends Formatter {
  @Override
  public String format(LogRecord line) {
    return "{\"time\": %s, \"level\": %s, \"process\": %d, \"logger\": %s, \"message\": %s%s}%n"
        .formatted(
            JsonText.quoted(line.getInstant().toString()),
            JsonText.quoted(line.getLevel().getName()),
            ProcessHandle.current().pid(),
            JsonText.quoted(String.valueOf(line.getLoggerName())),
            JsonText.quoted(formatMessage(line)),
            error(line.getThrown()));
  }

  private static String error(Throwable thrown) {
    return thrown == null ? "" : ", \"error\": " + JsonText.quoted(LogFormat.trace(thrown));
  }
}
