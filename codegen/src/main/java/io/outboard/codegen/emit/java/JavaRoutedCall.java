// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Parameter.Value;
import io.outboard.codegen.model.Results;
import io.outboard.codegen.model.Structure;
import io.outboard.spec.Scalar;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The method of a router for one call: finds the host, puts its numbers of devices in the place of
 * the program's, calls its driver, and looks at what that hands out.
 */
final class JavaRoutedCall {
  private final Results results;
  private final Function function;
  private final JavaExpressions expressions;

  JavaRoutedCall(String bodies, Results results, Function function) {
    this.expressions = new JavaExpressions(bodies, JavaRoutedCall::pointee);
    this.results = results;
    this.function = function;
  }

  private static String pointee(Pointer pointer, Scalar type) {
    return "(%1$s == 0 ? 0 : Native.get%2$s(%1$s))"
        .formatted(pointer.name(), JavaMethods.accessor(type));
  }

  void emit(Code code) {
    code.add(JavaMethods.head(function));
    if (function.parameters().stream().anyMatch(JavaRoutedCall::tells)) {
      code.add("int host_ = Hosts.ANY;");
      function.parameters().forEach(parameter -> owner(code, parameter));
      addresses(code);
      code.add("if (host_ == Hosts.SEVERAL) {\nreturn %d;\n}", refusal());
      code.add("host_ = hosts.enter(host_);");
    } else {
      code.add("int host_ = hosts.enter(Hosts.ANY);");
    }
    String call = "driver(host_).%s(%s)".formatted(function.name(), arguments());
    List<Pointer> read = renumbered(true);
    List<Pointer> checked = function.pointers().stream().filter(this::isLookedAt).toList();
    if (read.isEmpty() && checked.isEmpty() && renumbered(false).isEmpty()) {
      code.add("return %s;\n}", call);
      return;
    }
    read.forEach(pointer -> renumber(code, pointer, true));
    code.add("int result_ = %s;", call);
    read.forEach(pointer -> renumber(code, pointer, false));
    if (!checked.isEmpty() || !renumbered(false).isEmpty()) {
      code.add("if (%s) {\nreturn result_;\n}", function.failed("result_"));
      checked.forEach(pointer -> look(code, pointer));
      renumbered(false).forEach(pointer -> renumber(code, pointer, false));
    }
    code.add("return result_;\n}");
  }

  /** Whether a parameter says whose the call is. */
  private static boolean tells(Parameter parameter) {
    return switch (parameter) {
      case Value value -> value.handle().present() || value.ordinal() || value.address();
      case Pointer pointer ->
          pointer.direction().reads()
              && (pointer.handle().present()
                  || pointer.ordinal()
                  || pointer.structure().filter(JavaRoutedCall::concerns).isPresent());
      case Parameter.Callback _, Parameter.UserData _ -> false;
    };
  }

  /** The result for a handle that is wrong, as one of another host is. */
  private int refusal() {
    return function
        .firstHandle()
        .map(value -> value.handle().invalid())
        .orElse(results.invalidValue());
  }

  private void owner(Code code, Parameter parameter) {
    switch (parameter) {
      case Value value when value.handle().present() -> join(code, "ofHandle(" + value.name());
      case Value value when value.ordinal() -> join(code, "ofOrdinal(" + value.name());
      case Pointer pointer when pointer.direction().reads() -> owner(code, pointer);
      case Value _, Pointer _, Parameter.Callback _, Parameter.UserData _ -> {}
    }
  }

  private static void join(Code code, String whose) {
    code.add("host_ = Hosts.join(host_, hosts.%s));", whose);
  }

  private void owner(Code code, Pointer pointer) {
    if (pointer.handle().present()) {
      elements(code, pointer);
      join(code, "ofHandle(Native.getLong(element_)");
      code.add("}");
    } else if (pointer.ordinal()) {
      elements(code, pointer);
      join(code, "ofOrdinal(Native.getInt(element_)");
      code.add("}");
    } else if (pointer.structure().filter(JavaRoutedCall::concerns).isPresent()) {
      elements(code, pointer);
      code.add(
          "host_ = %s(host_, element_);\n}", JavaRouted.hosts(pointer.structure().orElseThrow()));
    }
  }

  private static boolean concerns(Structure structure) {
    return structure.hasHandles() || structure.hasOrdinals();
  }

  /** An address says whose a call is where nothing else does. */
  private void addresses(Code code) {
    List<String> addresses =
        function.parameters().stream()
            .filter(p -> p instanceof Value value && value.address())
            .map(Parameter::name)
            .toList();
    if (!addresses.isEmpty()) {
      code.add(
          "if (host_ == Hosts.ANY && %1$s != 0) {\nhost_ = hosts.home(%1$s);\n}",
          addresses.getFirst());
    }
  }

  private String arguments() {
    return function.parameters().stream()
        .map(JavaRoutedCall::argument)
        .collect(Collectors.joining(", "));
  }

  private static String argument(Parameter parameter) {
    return switch (parameter) {
      case Value value when value.ordinal() ->
          "hosts.hostOrdinal(host_, %s)".formatted(value.name());
      case Value value when value.handle().everywhere() ->
          "hosts.valueAt(host_, %s)".formatted(value.name());
      default -> parameter.name();
    };
  }

  /** Pointers to numbers of devices, of a call's input or of its output alone. */
  private List<Pointer> renumbered(boolean input) {
    return function.pointers().stream()
        .filter(Parameter::hasOrdinals)
        .filter(pointer -> pointer.direction().reads() == input)
        .toList();
  }

  private void renumber(Code code, Pointer pointer, boolean toHost) {
    elements(code, pointer);
    if (pointer.ordinal()) {
      code.add(
          "Native.putInt(element_, hosts.%s(host_, Native.getInt(element_)));\n}",
          toHost ? "hostOrdinal" : "programOrdinal");
    } else {
      code.add(
          "%s(host_, %s, element_);\n}",
          JavaRouted.renumber(pointer.structure().orElseThrow()), toHost);
    }
  }

  private boolean isLookedAt(Pointer pointer) {
    boolean handles =
        pointer.handle().present() || pointer.structure().filter(Structure::hasHandles).isPresent();
    return pointer.direction().writes() && (handles || pointer.address());
  }

  /** A host hands out what is its own. */
  private void look(Code code, Pointer pointer) {
    elements(code, pointer);
    if (pointer.address()) {
      code.add(
          """
          long address_ = Native.getLong(element_);
          if (address_ != 0 && hosts.ofAddress(address_) != host_) {
          """);
    } else if (pointer.handle().present()) {
      code.add("if (Hosts.join(host_, hosts.ofHandle(Native.getLong(element_))) != host_) {");
    } else {
      code.add(
          "if (%s(host_, element_) != host_) {",
          JavaRouted.hosts(pointer.structure().orElseThrow()));
    }
    code.add("return hosts.lied(host_);\n}\n}");
  }

  /** Opens a loop over the elements behind a pointer, none if it is null. */
  private void elements(Code code, Pointer pointer) {
    if (pointer.single()) {
      code.add("if (%1$s != 0) {\nlong element_ = %1$s;", pointer.name());
      return;
    }
    code.add(
        "for (long element_ = %1$s, last_ = %1$s == 0 ? 0 : %1$s + %2$s; element_ < last_; element_ += %3$d) {",
        pointer.name(), expressions.bytes(function, pointer), pointer.target().bytes());
  }
}
