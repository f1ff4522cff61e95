// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

/** The backend's log: lines on standard error. */
final class Log {
  private static final System.Logger LOGGER = System.getLogger("outboard");

  private Log() {}

  static void info(String line) {
    LOGGER.log(System.Logger.Level.INFO, line);
  }

  static void warn(String line) {
    LOGGER.log(System.Logger.Level.WARNING, line);
  }

  static void debug(String line) {
    LOGGER.log(System.Logger.Level.DEBUG, line);
  }
}
