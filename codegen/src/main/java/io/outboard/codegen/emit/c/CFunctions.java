// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Direction;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Kind;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Structure;
import io.outboard.codegen.model.Symbol;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table of the vendor's functions for a C program that calls any of them: of each a function that
 * takes its arguments as words, and of each parameter its name, its type and its role. It returns
 * its result, or the object that it makes.
 */
public final class CFunctions implements Emitter {
  private static final Set<String> FLOATS = Set.of("float", "double");

  /** A parameter of a C prototype. */
  private record Declared(String name, String type, String role) {
    /** What a word becomes. */
    String argument(int index) {
      return role.equals("STRUCTURE")
          ? "*(const %s *)arguments[%d]".formatted(type, index)
          : "(%s)arguments[%d]".formatted(type, index);
    }

    /** Of what a pointer points to, or of the value. */
    String bytes() {
      if (!type.endsWith("*")) {
        return "sizeof(%s)".formatted(type);
      }
      String element = type.substring(0, type.length() - 1).strip();
      return element.endsWith("void") ? "1" : "sizeof(%s)".formatted(element);
    }
  }

  @Override
  public String emit(Library library) {
    Code code = Code.c().add(Notice.c(library));
    code.add(
        """
        #include "%s.h"

        #include <stdbool.h>

        enum function_role {
        HANDLE, ADDRESS, NUMBER, FLOAT, STRUCTURE, TEXT, FUNCTION, INPUT, OUTPUT, POINTER
        };
        typedef struct function_parameter {
        const char *name, *type;
        enum function_role role;
        size_t bytes;
        } function_parameter;
        typedef struct function_of_library {
        const char *name, *per_thread, *topic;
        uint64_t (*call)(void *function, const uint64_t *arguments);
        bool makes;
        int count;
        function_parameter parameters[20];
        } function_of_library;
        """,
        library.name());
    CTypes types = new CTypes(library);
    List<Function> functions =
        library.functions().stream().filter(f -> library.knows(f.name())).toList();
    functions.forEach(function -> caller(code, library, types, function));
    code.add("\nstatic const function_of_library FUNCTIONS[] = {");
    functions.forEach(function -> row(code, library, types, function));
    library.refused().stream().filter(symbol -> !symbol.debugger()).forEach(s -> refused(code, s));
    code.add("};");
    return code.toString();
  }

  private static void caller(Code code, Library library, CTypes types, Function function) {
    List<Declared> parameters = declared(library, types, function);
    String list = parameters.stream().map(Declared::type).collect(Collectors.joining(", "));
    String arguments =
        IntStream.range(0, parameters.size())
            .mapToObj(i -> parameters.get(i).argument(i))
            .collect(Collectors.joining(", "));
    String returned = returned(types, function);
    String call =
        "((%s (*)(%s))function)(%s)".formatted(returned, list.isEmpty() ? "void" : list, arguments);
    code.add(
        """

        static uint64_t call_%s(void *function, const uint64_t *arguments) {
        (void)arguments;
        %s;
        }
        """,
        function.name(),
        returned.equals("void") ? call + ";\nreturn 0" : "return (uint64_t)" + call);
  }

  /** A type of C. */
  private static String returned(CTypes types, Function function) {
    String prototype = types.prototype(function, function.name());
    return prototype.substring(0, prototype.indexOf(function.name() + "(")).strip();
  }

  private static void row(Code code, Library library, CTypes types, Function function) {
    List<Declared> parameters = declared(library, types, function);
    String perThread =
        function.variants().stream()
            .filter(((Predicate<String>) Function::perThread).and(library::knows))
            .findFirst()
            .map("\"%s\""::formatted)
            .orElse("NULL");
    code.add(
        "{\"%s\", %s, \"%s\", call_%s, %b, %d, {%s}},",
        function.name(),
        perThread,
        function.topic(),
        function.name(),
        !List.of("void", library.resultType()).contains(returned(types, function)),
        parameters.size(),
        parameters.isEmpty()
            ? "{NULL, NULL, HANDLE, 0}"
            : parameters.stream().map(CFunctions::row).collect(Collectors.joining(", ")));
  }

  /** Of one that no method describes nothing is known but its name. */
  private static void refused(Code code, Symbol symbol) {
    code.add(
        "{\"%s\", NULL, \"refused\", NULL, false, 0, {{NULL, NULL, HANDLE, 0}}},", symbol.name());
  }

  private static String row(Declared parameter) {
    return "{\"%s\", \"%s\", %s, %s}"
        .formatted(parameter.name(), parameter.type(), parameter.role(), parameter.bytes());
  }

  private static List<Declared> declared(Library library, CTypes types, Function function) {
    return CPrototype.of(types.prototype(function, function.name())).stream()
        .map(parameter -> declared(library, parameter))
        .map(parameter -> output(function, parameter))
        .toList();
  }

  private static Declared declared(Library library, CPrototype.Declared parameter) {
    String role = parameter.function() ? "FUNCTION" : role(library, parameter.type());
    return new Declared(parameter.name(), parameter.type(), role);
  }

  /** What the specification says of a pointer that the prototype leaves open. */
  private static Declared output(Function function, Declared parameter) {
    boolean written =
        function.pointers().stream()
            .filter(pointer -> pointer.direction() == Direction.OUT)
            .anyMatch(pointer -> pointer.name().equals(parameter.name()));
    return written && parameter.role().equals("POINTER")
        ? new Declared(parameter.name(), parameter.type(), "OUTPUT")
        : parameter;
  }

  private static String role(Library library, String type) {
    if (type.equals("const char *")) {
      return "TEXT";
    }
    if (type.endsWith("*")) {
      return type.startsWith("const ") ? "INPUT" : "POINTER";
    }
    if (library.kinds().stream().map(Kind::type).anyMatch(type::equals)) {
      return "HANDLE";
    }
    if (library.structures().stream().map(Structure::name).anyMatch(type::equals)) {
      return "STRUCTURE";
    }
    if (type.equals(library.addressType())) {
      return "ADDRESS";
    }
    return FLOATS.contains(type) ? "FLOAT" : "NUMBER";
  }
}
