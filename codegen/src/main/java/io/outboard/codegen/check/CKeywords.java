// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import java.util.Set;

/** The keywords of C11 that are identifiers in Java. */
final class CKeywords {
  private static final Set<String> WORDS =
      Set.of(
          "auto",
          "extern",
          "inline",
          "register",
          "restrict",
          "signed",
          "sizeof",
          "struct",
          "typedef",
          "union",
          "unsigned",
          "bool",
          "NULL");

  private CKeywords() {}

  static boolean contains(String name) {
    return WORDS.contains(name);
  }
}
