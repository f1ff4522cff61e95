// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/** The terminal that standard output may be. */
public final class Terminal {
  private static final Path OUTPUT = Path.of("/proc/self/fd/1");
  // proc(5), pts(4), console(4): what Linux names its terminals.
  private static final Pattern NAME = Pattern.compile("/dev/(pts/\\d+|tty.*|console)");

  private Terminal() {}

  /** Whether standard output is one. */
  public static boolean isThere() {
    try {
      return NAME.matcher(Files.readSymbolicLink(OUTPUT).toString()).matches();
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether standard output is one that shows colours, which its user wants. */
  static boolean isColoured() {
    return isThere() && hasColours(System.getenv());
  }

  /** Unless the user wants none (no-color.org), or the terminal is known to have none. */
  public static boolean hasColours(Map<String, String> environment) {
    return environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "dumb").equals("dumb");
  }
}
