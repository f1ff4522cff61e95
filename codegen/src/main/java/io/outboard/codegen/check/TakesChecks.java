// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Expression;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.Value;
import io.outboard.codegen.model.Taking;
import io.outboard.spec.Holds;
import javax.lang.model.element.ExecutableElement;

/** Checks that a call says what it takes of a device where its handles ask for that. */
final class TakesChecks {
  private final Function function;
  private final ExecutableElement method;
  private final Problems problems;

  TakesChecks(Function function, ExecutableElement method, Problems problems) {
    this.function = function;
    this.method = method;
    this.problems = problems;
  }

  void check() {
    boolean silent = function.travels() && function.taking().isEmpty();
    if (silent && (makes(Holds.MEMORY) || function.around().reserved().isPresent())) {
      problems.error(method, "%s makes what holds memory: @Takes says how much", function.name());
    }
    if (silent && !function.deviceWork() && isGiven(Holds.WORK)) {
      problems.error(
          method, "%s is given what holds work: @Takes says what it takes", function.name());
    }
    if (!function.travels() && function.taking().isPresent()) {
      problems.error(method, "%s: @Takes is for calls", function.name());
    }
    function.taking().ifPresent(this::check);
  }

  private void check(Taking taking) {
    taking.bytes().ifPresent(this::checkNames);
    if (!taking.of().isEmpty() && !isHandle(taking.of())) {
      problems.error(method, "%s: of = \"%s\" is no handle", function.name(), taking.of());
    }
    if (!taking.ends().isEmpty() && !isValue(taking.ends())) {
      problems.error(method, "%s: ends = \"%s\" is no address", function.name(), taking.ends());
    }
    boolean made = function.pointers().stream().anyMatch(p -> p.handle().creates());
    boolean placed = function.pointers().stream().anyMatch(p -> p.name().equals(taking.at()));
    if (taking.takesMemory() && made == placed) {
      problems.error(
          method,
          "%s: memory ends with a handle that is made, or is at an output",
          function.name());
    }
  }

  private void checkNames(Expression expression) {
    switch (expression) {
      case Expression.Constant _ -> {}
      case Expression.Name(String name) -> {
        if (!isValue(name)) {
          problems.error(method, "%s: unknown parameter \"%s\"", function.name(), name);
        }
      }
      case Expression.Operation(char _, Expression left, Expression right) -> {
        checkNames(left);
        checkNames(right);
      }
    }
  }

  private boolean isValue(String name) {
    return function.parameter(name).filter(Value.class::isInstance).isPresent();
  }

  private boolean isHandle(String name) {
    return function
        .parameter(name)
        .filter(p -> p instanceof Value value && value.handle().present())
        .isPresent();
  }

  private boolean makes(Holds what) {
    return function.pointers().stream()
        .anyMatch(p -> p.handle().creates() && p.handle().kind().holds() == what);
  }

  private boolean isGiven(Holds what) {
    return function.parameters().stream().map(TakesChecks::used).anyMatch(use -> holds(use, what));
  }

  private static boolean holds(HandleUse use, Holds what) {
    return !use.destroys()
        && !use.creates()
        && use.kinds().stream().anyMatch(kind -> kind.holds() == what);
  }

  private static HandleUse used(Parameter parameter) {
    return switch (parameter) {
      case Value value -> value.handle();
      case Pointer pointer when pointer.direction().reads() -> pointer.handle();
      case Pointer _, Parameter.Callback _, Parameter.UserData _ -> HandleUse.NONE;
    };
  }
}
