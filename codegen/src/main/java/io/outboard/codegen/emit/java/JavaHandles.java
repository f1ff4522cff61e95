// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Kind;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Member;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Structure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The dispatcher's way from handles to values and back, one method for each set of kinds. */
final class JavaHandles {
  private JavaHandles() {}

  /** Name of the method that returns the value of a handle. */
  static String resolve(HandleUse handle) {
    return handle.kinds().stream()
        .map(kind -> capital(kind.name()))
        .collect(Collectors.joining("Or", "valueOf", ""));
  }

  /** Name of the method that returns the handle of a value. */
  static String adopt(HandleUse handle) {
    return "handleOf" + capital(handle.kind().name());
  }

  /** Emits the methods that the library's functions use. */
  static void emit(Code code, Library library) {
    Map<String, HandleUse> resolvers = new LinkedHashMap<>();
    Map<String, HandleUse> adopters = new LinkedHashMap<>();
    uses(library)
        .forEach(
            handle -> {
              resolvers.putIfAbsent(resolve(handle), handle);
              adopters.putIfAbsent(adopt(handle), handle);
            });
    resolvers.forEach((name, handle) -> resolver(code, name, handle));
    adopters.forEach((name, handle) -> adopter(code, name, handle.kind()));
  }

  private static Stream<HandleUse> uses(Library library) {
    Stream<HandleUse> parameters =
        library.calls().stream()
            .map(Function::parameters)
            .flatMap(List::stream)
            .map(
                parameter ->
                    switch (parameter) {
                      case Parameter.Value value -> value.handle();
                      case Parameter.Pointer pointer -> pointer.handle();
                      case Parameter.Callback _, Parameter.UserData _ -> HandleUse.NONE;
                    });
    Stream<HandleUse> members =
        library.structures().stream()
            .map(Structure::members)
            .flatMap(List::stream)
            .map(
                member ->
                    switch (member) {
                      case Member.Plain plain -> plain.handle();
                      case Member.Counted counted -> counted.handle();
                      case Member.Nested _, Member.Choice _ -> HandleUse.NONE;
                    });
    return Stream.concat(parameters, members).filter(HandleUse::present);
  }

  private static void resolver(Code code, String name, HandleUse handle) {
    code.add("\nprivate static long %s(Call call, long handle) {", name);
    handle.kinds().stream()
        .filter(kind -> kind.perThread() != 0)
        .findFirst()
        .ifPresent(
            kind ->
                code.add(
                    """
                    if (handle == %2$d || handle == 0 && (call.flags() & Frame.FLAG_PER_THREAD) != 0) {
                    return call.perThread(%1$d, %2$dL);
                    }
                    """,
                    kind.id(), kind.perThread()));
    specials(code, "handle", handle.kinds().stream().flatMap(k -> k.specials().stream()));
    code.add("return call.handles().resolve(handle, 0x%xL);\n}", handle.mask());
  }

  private static void adopter(Code code, String name, Kind kind) {
    code.add("\nprivate static long %s(Call call, long value, long parent) {", name);
    specials(
        code,
        "value",
        LongStream.concat(LongStream.of(0), kind.specials().stream().mapToLong(s -> s)).boxed());
    code.add("return call.handles().adopt(%d, value, parent);\n}", kind.id());
  }

  private static void specials(Code code, String name, Stream<Long> specials) {
    String condition =
        specials
            .distinct()
            .map(special -> name + " == " + special)
            .collect(Collectors.joining(" || "));
    if (!condition.isEmpty()) {
      code.add("if (%s) {\nreturn %s;\n}", condition, name);
    }
  }

  static String capital(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
