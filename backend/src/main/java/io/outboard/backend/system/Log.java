// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import java.io.IOException;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The backend's log: lines on standard error. */
public final class Log {
  private static final String FORMAT = "java.util.logging.SimpleFormatter.format";
  private static final System.Logger LOGGER = logger();

  private Log() {}

  private static System.Logger logger() {
    LogFormat.last();
    // One line an event, unless the user has said otherwise.
    if (System.getProperty(FORMAT) == null) {
      System.setProperty(FORMAT, "outboard: %1$tF %1$tT %5$s%6$s%n");
    }
    System.Logger logger = System.getLogger("outboard");
    format();
    return logger;
  }

  /**
   * Makes the handlers and formats a time once, for a process whose descriptors may run out: its
   * first line could not be written then, because the time zones are read from a file.
   */
  public static void prepare() {
    LogRecord line = new LogRecord(Level.OFF, "");
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      handler.getFormatter().format(line);
    }
  }

  /** Writes as is wanted. */
  static void format() {
    use(LogFormat.wanted().formatter());
  }

  private static void use(Formatter formatter) {
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      handler.setFormatter(formatter);
    }
  }

  public static void info(String line) {
    LOGGER.log(System.Logger.Level.INFO, line);
  }

  public static void warn(String line) {
    LOGGER.log(System.Logger.Level.WARNING, line);
  }

  /** A failure, and its cause. */
  public static void warn(String line, IOException cause) {
    warn(line + ": " + FileErrors.words(cause));
  }

  /** A mistake of this program, with its trace. */
  public static void failure(String line, Throwable cause) {
    LOGGER.log(System.Logger.Level.ERROR, line, cause);
  }

  public static void debug(String line) {
    LOGGER.log(System.Logger.Level.DEBUG, line);
  }
}
