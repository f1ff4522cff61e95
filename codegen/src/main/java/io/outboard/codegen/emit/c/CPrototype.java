// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameters of a prototype in C. */
final class CPrototype {
  private static final Pattern PROTOTYPE = Pattern.compile("[^(]*\\((.*)\\)", Pattern.DOTALL);

  /** A comma that is in no inner bracket. */
  private static final Pattern COMMA = Pattern.compile(",\\s*(?![^()]*\\))");

  private static final Pattern FUNCTION = Pattern.compile("(.*)\\(\\*(\\w+)\\)(\\(.*\\))");
  private static final Pattern PLAIN = Pattern.compile("(.*?[ *])(\\w+)(\\[\\])?");

  /**
   * A parameter.
   *
   * @param function whether it is a function of the program's
   */
  record Declared(String name, String type, boolean function) {}

  private CPrototype() {}

  /** Reads the parameters of a declaration. */
  static List<Declared> of(String declaration) {
    Matcher prototype = PROTOTYPE.matcher(declaration);
    if (!prototype.matches()) {
      throw new IllegalStateException("no prototype: " + declaration);
    }
    return COMMA
        .splitAsStream(prototype.group(1))
        .filter(text -> !text.equals("void"))
        .map(CPrototype::declared)
        .toList();
  }

  private static Declared declared(String text) {
    Matcher function = FUNCTION.matcher(text);
    if (function.matches()) {
      return new Declared(function.group(2), function.group(1) + "(*)" + function.group(3), true);
    }
    Matcher plain = PLAIN.matcher(text);
    if (!plain.matches()) {
      throw new IllegalStateException("no parameter: " + text);
    }
    String list = plain.group(3) == null ? "" : " *";
    return new Declared(plain.group(2), plain.group(1).strip() + list, false);
  }
}
