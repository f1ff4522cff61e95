// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Expression;
import io.outboard.codegen.model.Taking;
import io.outboard.spec.Resource;
import io.outboard.spec.Takes;
import java.util.Optional;
import javax.lang.model.element.ExecutableElement;

/** Reads what a method says that it takes of a device. */
final class TakesReader {
  private final ExecutableElement method;
  private final Problems problems;

  TakesReader(ExecutableElement method, Problems problems) {
    this.method = method;
    this.problems = problems;
  }

  Optional<Taking> read() {
    Takes takes = method.getAnnotation(Takes.class);
    if (takes == null) {
      return Optional.empty();
    }
    boolean memory =
        takes.value() == Resource.MEMORY && takes.ends().isEmpty() && !takes.decorated();
    boolean said = takes.bytes().isEmpty() != takes.by().isEmpty();
    if (memory != said) {
      problems.error(
          method,
          "%s: bytes or by says how much memory a call takes, and nothing else does",
          method.getSimpleName());
    }
    return Optional.of(
        new Taking(
            takes.value(),
            bytes(takes.bytes()),
            takes.by(),
            takes.of(),
            takes.at(),
            takes.ends(),
            takes.decorated()));
  }

  private Optional<Expression> bytes(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(ExpressionParser.parse(text));
    } catch (IllegalArgumentException e) {
      problems.error(
          method, "%s: bytes = \"%s\": %s", method.getSimpleName(), text, e.getMessage());
      return Optional.empty();
    }
  }
}
