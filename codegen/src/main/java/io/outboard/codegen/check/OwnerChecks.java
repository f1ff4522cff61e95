// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.UserData;
import io.outboard.codegen.model.Parameter.Value;
import java.util.HashMap;
import java.util.Map;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;

/** Checks the functions of one library that count owners of objects. */
final class OwnerChecks {
  private final boolean objects;
  private final Problems problems;
  private final Map<Integer, String> releases = new HashMap<>();

  OwnerChecks(boolean objects, Problems problems) {
    this.objects = objects;
    this.problems = problems;
  }

  void check(Function function, ExecutableElement method) {
    for (int i = 0; i < function.parameters().size(); i++) {
      Parameter parameter = function.parameters().get(i);
      HandleUse handle = handle(parameter);
      if (handle.retains() || handle.releases()) {
        check(function, parameter, method.getParameters().get(i));
      }
    }
    function.owned().map(Value::handle).ifPresent(handle -> checkKind(function, handle, method));
  }

  private static HandleUse handle(Parameter parameter) {
    return switch (parameter) {
      case Value value -> value.handle();
      case Pointer pointer -> pointer.handle();
      case Parameter.Callback _, UserData _ -> HandleUse.NONE;
    };
  }

  private void check(Function function, Parameter parameter, Element element) {
    HandleUse handle = handle(parameter);
    boolean alone = parameter instanceof Value && function.parameters().size() == 1;
    boolean one = handle.kinds().size() == 1;
    boolean generated = !function.handWritten() && function.prototype().isEmpty();
    if (!objects || !alone || !one || !generated || handle.releases() != function.travels()) {
      problems.error(
          element,
          "%s: %s is for the only parameter of a %s function, a handle of one kind of objects",
          parameter.name(),
          handle.life(),
          handle.retains() ? "@Local" : "travelling");
    }
  }

  private void checkKind(Function function, HandleUse handle, ExecutableElement method) {
    String other =
        handle.releases() ? releases.putIfAbsent(handle.kind().id(), function.name()) : null;
    if (other != null) {
      problems.error(
          method, "%s: %s releases a %s already", function.name(), other, handle.kind().name());
    }
  }
}
