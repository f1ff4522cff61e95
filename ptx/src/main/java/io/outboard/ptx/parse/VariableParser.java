// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.parse;

import io.outboard.ptx.host.ReferenceKind;
import io.outboard.ptx.host.Space;
import io.outboard.ptx.model.Initializer;
import io.outboard.ptx.model.Type;
import io.outboard.ptx.model.Variable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads declarations of variables in memory, with what they hold at first. */
final class VariableParser {
  private static final int LARGEST = 1 << 30;

  private final Scanner scanner;
  private Type type;
  private int lanes;
  private int align;
  private boolean managed;

  VariableParser(Scanner scanner) {
    this.scanner = scanner;
  }

  /** The kind of the reference that is declared, and empty where a variable is. */
  Optional<ReferenceKind> acceptReference() {
    return Arrays.stream(ReferenceKind.values())
        .filter(kind -> scanner.acceptDirective(kind.directive()))
        .findFirst();
  }

  /** Reads from after the space's name to before the semicolon or comma that ends it. */
  List<Variable> variables(Space space) {
    attributes();
    List<Variable> read = new ArrayList<>();
    do {
      read.add(declarator(space));
    } while (scanner.accept(','));
    return read;
  }

  /** Reads one parameter, from after {@code .param}. */
  Variable parameter() {
    attributes();
    return declarator(Space.PARAM);
  }

  private void attributes() {
    type = null;
    lanes = 1;
    align = 0;
    managed = false;
    while (scanner.peek() == '.') {
      attribute(scanner.directive());
    }
    if (type == null) {
      throw scanner.error("expected a type");
    }
  }

  private void attribute(String word) {
    switch (word) {
      case "align" -> {
        int value = (int) integer();
        align = type == null ? value : align;
      }
      case "v2" -> lanes = 2;
      case "v4" -> lanes = 4;
      case "ptr", "global", "const", "shared", "local" -> {}
      case "attribute" -> attributeList();
      default -> type = typeNamed(word);
    }
  }

  private Type typeNamed(String word) {
    Type named = Type.named(word);
    if (named == null || named == Type.PRED) {
      throw scanner.error("unsupported type ." + word);
    }
    return named;
  }

  private void attributeList() {
    scanner.expect('(');
    while (!scanner.accept(')')) {
      if (scanner.peek() == '.') {
        managed |= scanner.directive().equals("managed");
      } else if (scanner.peek() == '(') {
        attributeList();
      } else if (!scanner.accept(',')) {
        scanner.number();
      }
    }
  }

  private Variable declarator(Space space) {
    String name = scanner.name();
    long count = 1;
    boolean open = false;
    while (scanner.accept('[')) {
      if (scanner.accept(']')) {
        open = true;
      } else {
        count = Math.multiplyExact(count, integer());
        scanner.expect(']');
      }
    }
    List<Item> items = scanner.accept('=') ? items() : null;
    if (open) {
      count = items == null ? 0 : count * items.size();
    }
    return variable(name, space, count, items);
  }

  private Variable variable(String name, Space space, long count, List<Item> items) {
    int unit = type.bytes() * lanes;
    long size = count * unit;
    if (count < 0 || count > LARGEST || size > LARGEST) {
      throw scanner.error(name + " is larger than 1 GiB");
    }
    Initializer initializer = items == null ? null : initializer(name, (int) size, items);
    return new Variable(name, space, size, align == 0 ? unit : align, initializer, managed);
  }

  private Initializer initializer(String name, int size, List<Item> items) {
    if ((long) items.size() * type.bytes() > size) {
      throw scanner.error("too many initial values for " + name);
    }
    Initializer initializer = new Initializer(size);
    for (int i = 0; i < items.size(); i++) {
      items.get(i).store(initializer, i * type.bytes(), type.bytes());
    }
    return initializer;
  }

  private long integer() {
    String text = scanner.number();
    try {
      return Initial.bits(Numbers.read(text, false), Type.U64);
    } catch (NumberFormatException e) {
      throw scanner.error("malformed number " + text);
    }
  }

  private List<Item> items() {
    List<Item> items = new ArrayList<>();
    item(items);
    return items;
  }

  private void item(List<Item> items) {
    if (!scanner.accept('{')) {
      items.add(single());
      return;
    }
    while (!scanner.accept('}')) {
      item(items);
      scanner.accept(',');
    }
  }

  private Item single() {
    char c = scanner.peek();
    if (Scanner.startsName(c)) {
      return address(-1);
    }
    boolean negative = scanner.accept('-');
    String text = scanner.number();
    if (scanner.accept('(')) {
      Item masked = address(maskShift(text));
      scanner.expect(')');
      return masked;
    }
    try {
      return Item.constant(Initial.bits(Numbers.read(text, negative), type));
    } catch (NumberFormatException e) {
      throw scanner.error("malformed number " + text);
    }
  }

  /** {@code 0xFF00(symbol)} takes one byte of an address; the mask tells which. */
  private int maskShift(String mask) {
    long bits = Initial.bits(Numbers.read(mask, false), Type.U64);
    int shift = Long.numberOfTrailingZeros(bits);
    if (bits == 0 || bits >>> shift != 0xff) {
      throw scanner.error("unsupported mask " + mask);
    }
    return shift;
  }

  private Item address(int shift) {
    String name = scanner.name();
    if (name.equals("generic") && scanner.accept('(')) {
      name = scanner.name();
      long inner = offset();
      scanner.expect(')');
      return Item.address(name, inner + offset(), Math.max(shift, 0));
    }
    return Item.address(name, offset(), Math.max(shift, 0));
  }

  private long offset() {
    if (scanner.accept('+')) {
      boolean negative = scanner.accept('-');
      return negative ? -integer() : integer();
    }
    return scanner.accept('-') ? -integer() : 0;
  }

  /** One initial value: a constant, or where {@code symbol} is set, an address. */
  private record Item(long bits, String symbol, long offset, int shift) {
    static Item constant(long bits) {
      return new Item(bits, null, 0, 0);
    }

    static Item address(String symbol, long offset, int shift) {
      return new Item(0, symbol, offset, shift);
    }

    void store(Initializer initializer, int position, int width) {
      if (symbol == null) {
        initializer.put(position, width, bits);
      } else {
        initializer.putAddress(position, width, symbol, offset, shift);
      }
    }
  }
}
