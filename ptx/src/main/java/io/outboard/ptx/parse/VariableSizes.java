// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.parse;

import io.outboard.ptx.host.PtxException;
import io.outboard.ptx.model.Type;
import java.util.Set;

/**
 * Adds up the device memory that the variables of a text take: those of module scope in the global
 * and the constant space. Nothing but their declarations is understood, so that a text for any
 * device can be read, whatever its instructions are.
 */
public final class VariableSizes {
  /** Such a reference to a texture, sampler or surface is no larger. */
  private static final int OPAQUE_BYTES = 64;

  private static final Set<String> OPAQUE = Set.of("texref", "samplerref", "surfref");

  private final Scanner scanner;
  private long total;
  private boolean elsewhere;

  private VariableSizes(String text) {
    scanner = new Scanner(text);
  }

  /**
   * The bytes that the variables of {@code text} take; throws {@link PtxException} where a
   * declaration cannot be read.
   */
  public static long total(String text) {
    VariableSizes sizes = new VariableSizes(text);
    try {
      sizes.module();
    } catch (NumberFormatException | ArithmeticException e) {
      throw sizes.scanner.error("the size of a variable cannot be read");
    }
    return sizes.total;
  }

  private void module() {
    while (!scanner.atEnd()) {
      if (scanner.peek() == '.') {
        directive(scanner.directive());
      } else {
        skipOne();
      }
    }
  }

  private void directive(String word) {
    switch (word) {
      case "extern" -> elsewhere = true;
      case "global", "const" -> variables();
      default -> {}
    }
  }

  /** A bracket with all that is in it, a text in quotes, or a character. */
  private void skipOne() {
    switch (scanner.peek()) {
      case '{', '(' -> brackets();
      case '"' -> text();
      default -> elsewhere &= scanner.next() != ';';
    }
  }

  /** Whether a backslash hides the quote behind it is the driver's to say: it is not guessed. */
  private void text() {
    if (scanner.quoted().indexOf('\\') >= 0) {
      throw scanner.error("a text with a backslash");
    }
  }

  /** From an opening bracket to the one that closes it, however deep others lie in it. */
  private void brackets() {
    long depth = 0;
    do {
      if (scanner.atEnd()) {
        throw scanner.error("a bracket is not closed");
      }
      if (scanner.peek() == '"') {
        text();
      } else {
        depth += depth(scanner.next());
      }
    } while (depth > 0);
    elsewhere = false;
  }

  private static int depth(char c) {
    return switch (c) {
      case '{', '(' -> 1;
      case '}', ')' -> -1;
      default -> 0;
    };
  }

  private void variables() {
    long unit = unit();
    do {
      scanner.name();
      long bytes = Math.multiplyExact(unit, count());
      total = Math.addExact(total, elsewhere ? 0 : bytes);
    } while (scanner.accept(','));
    scanner.expect(';');
    elsewhere = false;
  }

  /** Bytes of an element. */
  private long unit() {
    if (scanner.accept('[')) { // the bank of a constant, in old texts
      scanner.skipPast(']');
    }
    long bytes = 0;
    long lanes = 1;
    while (scanner.peek() == '.') {
      String word = scanner.directive();
      switch (word) {
        case "align" -> scanner.number();
        case "attribute" -> attributes();
        case "v2", "v4" -> lanes = word.equals("v2") ? 2 : 4;
        default -> bytes = bytes(word);
      }
    }
    return lanes * bytes;
  }

  /** They leave whether the variable lies elsewhere as it is. */
  private void attributes() {
    boolean before = elsewhere;
    brackets();
    elsewhere = before;
  }

  private long bytes(String type) {
    if (OPAQUE.contains(type)) {
      return OPAQUE_BYTES;
    }
    Type known = Type.named(type);
    if (known != null) {
      return known.bytes();
    }
    if (type.equals("b128")) {
      return 16;
    }
    throw scanner.error("unknown type ." + type);
  }

  /** Elements, and past what they hold at first. */
  private long count() {
    long count = 1;
    boolean open = false;
    while (scanner.accept('[')) {
      if (scanner.accept(']')) {
        open = true;
      } else {
        count = Math.multiplyExact(count, length());
        scanner.expect(']');
      }
    }
    long items = scanner.accept('=') ? items() : 0;
    return open ? Math.multiplyExact(count, items) : count;
  }

  private long length() {
    long length = Numbers.whole(scanner.number());
    if (length < 0) {
      throw scanner.error("an array larger than any memory");
    }
    return length;
  }

  /** At least as many as there are at the outermost level. */
  private long items() {
    long items = 1;
    int depth = 0;
    while (depth > 0 || (scanner.peek() != ',' && scanner.peek() != ';')) {
      if (scanner.atEnd()) {
        throw scanner.error("expected ';'");
      }
      char c = scanner.next();
      depth += depth(c);
      items += c == ',' ? 1 : 0;
    }
    return items;
  }
}
