// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Reserved;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.lang.model.element.ExecutableElement;

/** Checks the calls that take back what another one has handed out. */
final class RangeChecks {
  private final List<Function> functions;
  private final Problems problems;

  RangeChecks(List<Function> functions, Problems problems) {
    this.functions = functions;
    this.problems = problems;
  }

  void check(Map<String, ExecutableElement> methods) {
    for (Function function : functions) {
      function
          .around()
          .reserved()
          .ifPresent(reserved -> check(function, reserved, methods.get(function.name())));
    }
  }

  private void check(Function function, Reserved reserved, ExecutableElement method) {
    Optional<Function> undo =
        functions.stream().filter(f -> f.travels() && f.name().equals(reserved.undo())).findFirst();
    boolean fits =
        undo.filter(f -> f.parameters().stream().allMatch(p -> has(function, p))).isPresent();
    if (!fits) {
      problems.error(
          method, "\"%s\" is no call whose parameters are those of this one", reserved.undo());
    }
    if (!reserved.in().isEmpty() && function.parameter(reserved.in()).isEmpty()) {
      problems.error(method, "unknown parameter \"%s\"", reserved.in());
    }
  }

  private static boolean has(Function function, Parameter parameter) {
    return function.parameter(parameter.name()).isPresent();
  }
}
