// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Parameter;
import io.outboard.spec.Scalar;
import java.util.Locale;
import java.util.stream.Collectors;

/** Methods of the interface in Java. */
final class JavaMethods {
  private JavaMethods() {}

  /** The head of an implementing method, with the opening bracket. */
  static String head(Function function) {
    String parameters =
        function.parameters().stream()
            .map(p -> type(p.type()) + " " + p.name())
            .collect(Collectors.joining(", "));
    return "\n@Override\npublic int %s(%s) {".formatted(function.name(), parameters);
  }

  /** The names of the parameters, as arguments. */
  static String arguments(Function function) {
    return function.parameters().stream().map(Parameter::name).collect(Collectors.joining(", "));
  }

  /** The Java type of a scalar. */
  static String type(Scalar scalar) {
    return scalar.name().toLowerCase(Locale.ROOT);
  }

  /** The part of {@code Native}'s method names that says the type. */
  static String accessor(Scalar scalar) {
    String name = type(scalar);
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
