// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.processor;

import java.util.Map;

/**
 * Expressions for the rough size of arguments in bytes, which cost nothing: calls are told apart by
 * them, and nothing is allocated for one.
 */
final class Sizes {
  private static final Map<String, Integer> WIDTHS =
      Map.of(
          "boolean", 1, "byte", 1, "short", 2, "char", 2, "int", 4, "long", 8, "float", 4, "double",
          8);

  /** The bytes for which an element without a width of its own counts. */
  private static final int ELEMENT = 16;

  private Sizes() {}

  /** The size of a parameter. */
  static String of(ValueType.Component parameter) {
    ValueType type = parameter.type();
    String name = parameter.name();
    if (type instanceof ValueType.Scalar scalar) {
      return Integer.toString(WIDTHS.get(scalar.primitive()));
    }
    if (type instanceof ValueType.Text) {
      return name + ".length()";
    }
    if (type instanceof ValueType.Array array) {
      int width =
          array.isOfPrimitives()
              ? WIDTHS.get(((ValueType.Scalar) array.of()).primitive())
              : ELEMENT;
      return "%dL * %s.length".formatted(width, name);
    }
    if (type instanceof ValueType.Sequence || type instanceof ValueType.Table) {
      return "%dL * %s.size()".formatted(ELEMENT, name);
    }
    return Integer.toString(ELEMENT);
  }
}
