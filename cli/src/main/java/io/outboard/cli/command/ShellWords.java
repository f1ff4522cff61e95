// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import java.util.Collection;
import java.util.stream.Collectors;

/** Words as a POSIX shell reads them back, whatever is in them. */
public final class ShellWords {
  private static final String PLAIN = "[A-Za-z0-9_@%+=:,./-]+";

  private ShellWords() {}

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** A line that sets a variable; the shell runs nothing of the value, whoever said it. */
  public static String exported(String variable, String value) {
    return "export " + variable + "=" + quoted(value);
  }

  /** A command, with quotes where they are needed. */
  public static String command(Collection<String> words) {
    return words.stream()
        .map(word -> word.matches(PLAIN) ? word : quoted(word))
        .collect(Collectors.joining(" "));
  }
}
