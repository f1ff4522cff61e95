// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/** Texts of strangers, as a terminal or a log can show them. */
public final class Printable {
  private Printable() {}

  /**
   * The text with a question mark for each character that steers what shows it: controls (C0, C1,
   * DEL), ends of lines and paragraphs, marks that turn the direction of writing, and halves of
   * surrogates.
   */
  public static String of(String text) {
    return text.codePoints()
        .map(c -> steers(c) ? '?' : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static boolean steers(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      case Character.FORMAT -> turns(c);
      default -> false;
    };
  }

  /** Embeddings, overrides and isolates (Unicode Standard Annex #9, 2). */
  private static boolean turns(int c) {
    return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
  }
}
