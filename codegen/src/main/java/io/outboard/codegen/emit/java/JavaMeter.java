// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.Value;
import io.outboard.codegen.model.Results;
import io.outboard.codegen.model.Taking;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a dispatcher's method says to the meter of the lease around the call. */
final class JavaMeter {
  private final Function function;
  private final JavaExpressions expressions;
  private final Results results;
  private final Optional<Taking> taking;

  JavaMeter(Function function, JavaExpressions expressions, Results results) {
    this.function = function;
    this.expressions = expressions;
    this.results = results;
    this.taking =
        function
            .taking()
            .filter(t -> t.takesMemory() || t.waits() || t.givesBack() || t.profiles());
  }

  /** Whether the call passes the meter. */
  boolean isThere() {
    return taking.isPresent();
  }

  void before(Code code, boolean reply) {
    taking.ifPresent(one -> before(code, one, reply));
  }

  private void before(Code code, Taking one, boolean reply) {
    code.add("Meter meter_ = call_.meter();");
    if (one.takesMemory()) {
      code.add("long taken_ = %s;", bytes(one));
      code.add("long devices_ = meter_.take(%s, taken_);", of(one));
      refuse(code, "devices_ == Meter.REFUSED", results.outOfDeviceMemory(), reply);
    } else if (one.waits()) {
      code.add("long devices_ = meter_.begin(%s);", of(one));
    } else if (one.profiles()) {
      refuse(code, "!meter_.profiles()", results.notSupported(), reply);
    } else {
      code.add("Object ending_ = meter_.ending(%s);", one.ends());
    }
  }

  private static void refuse(Code code, String when, int result, boolean reply) {
    code.add("if (%s) {", when);
    if (reply) {
      code.add("call_.answered(0);");
    }
    code.add("return %d;\n}", result);
  }

  private String bytes(Taking one) {
    return one.bytes()
        .map(expression -> expressions.emit(function, expression))
        .orElseGet(() -> "%s.%s(%s)".formatted(one.by(), function.name(), arguments()));
  }

  private String arguments() {
    return function.parameters().stream()
        .map(JavaMeter::argument)
        .collect(Collectors.joining(", "));
  }

  private static String argument(Parameter parameter) {
    return parameter instanceof Value value && value.handle().present()
        ? value.name() + "_value_"
        : parameter.name();
  }

  /** Kind and value of the handle that says which devices. */
  private String of(Taking one) {
    return function
        .parameter(one.of())
        .map(Value.class::cast)
        .map(value -> value.handle().kind().id() + ", " + value.name() + "_value_")
        .orElse("0, 0");
  }

  /** The call has returned. */
  void after(Code code) {
    taking.ifPresent(one -> after(code, one));
  }

  private void after(Code code, Taking one) {
    if (one.takesMemory()) {
      code.add("if (%s) {\nmeter_.refused(devices_, taken_);\n}", function.failed("result_"));
    } else if (one.waits()) {
      code.add("meter_.begun(devices_, %s, result_);", of(one));
    } else if (one.givesBack()) {
      code.add("meter_.ended(ending_, result_ == 0);");
    }
  }

  /** The call has succeeded. Its handles are not bound: nobody else can end them yet. */
  void made(Code code) {
    taking.filter(Taking::takesMemory).ifPresent(one -> made(code, one));
  }

  private void made(Code code, Taking one) {
    if (!one.at().isEmpty()) {
      code.add(
          "long place_ = %1$s == 0 ? 0 : Native.getLong(%1$s);\n"
              + "meter_.holds(devices_, taken_, 0, place_, place_);",
          one.at());
      return;
    }
    Pointer made =
        function.pointers().stream().filter(p -> p.handle().creates()).findFirst().orElseThrow();
    code.add(
        "meter_.holds(devices_, taken_, %d, %2$s_new_, %2$s == 0 ? 0 : Native.getLong(%2$s));",
        made.handle().kind().id(), made.name());
  }
}
