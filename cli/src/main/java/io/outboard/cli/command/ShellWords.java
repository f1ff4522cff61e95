// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import java.util.Collection;
import java.util.stream.Collectors;

/** Words as a POSIX shell reads them back, whatever is in them. */
public final class ShellWords {
  private static final String PLAIN = "[A-Za-z0-9_@%+=:,./-]+";

  private ShellWords() {}

  /** One word, in quotes always. */
  public static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** A command, with quotes where they are needed. */
  public static String command(Collection<String> words) {
    return words.stream()
        .map(word -> word.matches(PLAIN) ? word : quoted(word))
        .collect(Collectors.joining(" "));
  }
}
