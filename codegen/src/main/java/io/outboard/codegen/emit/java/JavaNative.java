// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Expression;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.codegen.model.Target;
import io.outboard.spec.Scalar;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The binding to the vendor's library: one downcall handle a function, bound on first use. */
public final class JavaNative implements Emitter {
  private static final String FUNCTION = "function_";
  private static final String EXTENSION =
      """

      /**
      * A function of an extension, of the vendor whose object it is given first; null if that one
      * has no such function.
      */
      protected abstract MemorySegment extension(String symbol, long object);
      """;

  private static final String KEEPING =
      """

      /** Most values behind an address where the library alone knows how many there are. */
      private static final long MOST_VALUES = 1024;

      /**
      * Whether a buffer is bound, so that what a call is given is an offset into it. Where none is,
      * keeps the library's error for the program.
      *
      * @param binding the name by which the library is asked for the buffer
      */
      protected abstract boolean isOffset(int binding);
      """;

  @Override
  public String emit(Library library) {
    List<Function> bound = library.calls().stream().filter(call -> !call.boundByHand()).toList();
    boolean extended = bound.stream().anyMatch(library::extension);
    boolean whole =
        !extended
            && !library.keepsResults()
            && library.calls().stream().allMatch(call -> !call.boundByHand() || call.hasBody());
    Code code = Code.java().add(Notice.java(library));
    code.add(
        """

        import io.outboard.wire.LateBinding;
        import io.outboard.wire.Native;
        import java.lang.foreign.Arena;
        import java.lang.foreign.FunctionDescriptor;
        import java.lang.foreign.Linker;
        import java.lang.foreign.MemoryLayout;
        import java.lang.foreign.MemorySegment;
        import java.lang.foreign.SymbolLookup;
        import java.lang.foreign.ValueLayout;
        import java.lang.invoke.MethodHandle;
        import java.util.function.BooleanSupplier;

        /**
        * The vendor's library as a {@link %1$s}: each function is looked up when it is first called, and one that the
        * library lacks returns the not-supported code. A process has one such library, so that the handles are constants.
        */
        %2$s
        public %3$sclass %1$sNative implements %1$s {
        private static final Linker LINKER = Linker.nativeLinker();
        private static SymbolLookup library;

        /**
        * Binds to a library.
        *
        * @throws IllegalStateException if the process has bound to another one
        */
        %4$s %1$sNative(SymbolLookup library) {
        bind(library);
        }

        private static synchronized void bind(SymbolLookup lookup) {
        if (library != null && library != lookup) {
        throw new IllegalStateException("a process has one %5$s");
        }
        library = lookup;
        }

        private static synchronized SymbolLookup library() {
        return library;
        }

        /**
        * Loads the library, once: later names are not looked at.
        *
        * @throws IllegalArgumentException if it cannot be loaded
        */
        protected static synchronized SymbolLookup lookup(String name) {
        if (library == null) {
        library = SymbolLookup.libraryLookup(name, Arena.global());
        }
        return library;
        }

        /**
        * Binds every function now instead of when it is first called, which takes a fresh virtual
        * machine a tenth of a second for the functions of a small program: for a worker that has no
        * client yet.
        *
        * @param enough is asked again and again whether that will do
        */
        public final void bindAll(BooleanSupplier enough) {
        LateBinding.bindAll(getClass(), enough);
        }

        /** Whether the library has the function of a call; so is taken to be what is bound by hand, but for extensions' functions. */
        public boolean has(int number) {
        String name = %1$sTable.name(number);
        return name != null && (boundByHand(number) || library().find(name).isPresent());
        }

        /** The downcall handle of a symbol, or null if the library lacks it. */
        protected static MethodHandle downcall(String symbol, FunctionDescriptor type) {
        return library().find(symbol).map(address -> LINKER.downcallHandle(address, type)).orElse(null);
        }

        private static AssertionError thrown(Throwable e) {
        return new AssertionError("a native function does not throw", e);
        }
        """,
        library.interfaceName(),
        Notice.annotation(library),
        whole ? "" : "abstract ",
        whole ? "public" : "protected",
        library.soname());
    if (extended) {
      code.add(EXTENSION);
    }
    if (library.keepsResults()) {
      code.add(KEEPING);
    }
    boundByHand(code, library);
    bound.forEach(call -> function(code, library, call));
    return code.add("}").toString();
  }

  private static void boundByHand(Code code, Library library) {
    String numbers =
        library.calls().stream()
            .filter(call -> call.boundByHand() && !library.extension(call))
            .map(call -> Integer.toString(call.number()))
            .collect(Collectors.joining(", "));
    code.add("\nprivate static boolean boundByHand(int number) {");
    if (numbers.isEmpty()) {
      code.add("return false;\n}");
    } else {
      code.add("return switch (number) {\ncase %s -> true;\ndefault -> false;\n};\n}", numbers);
    }
  }

  private static void function(Code code, Library library, Function call) {
    if (library.keepsResults()) {
      keeping(code, library, call);
      return;
    }
    if (call.returned().isPresent()) {
      returning(code, library, call, call.returned().get());
      return;
    }
    String layouts =
        Stream.concat(
                Stream.of("ValueLayout.JAVA_INT"), call.vendors().stream().map(JavaNative::layout))
            .collect(Collectors.joining(", "));
    String arguments =
        Stream.concat(address(library, call), call.vendors().stream().map(JavaNative::argument))
            .collect(Collectors.joining(", "));
    code.add(JavaMethods.head(call));
    find(code, library, call);
    code.add(
        """
        try {
        return (int) handle_.invokeExact(%s);
        } catch (Throwable e_) {
        throw thrown(e_);
        }
        }
        """,
        arguments);
    holder(code, library, call, layouts);
  }

  private static void find(Code code, Library library, Function call) {
    boolean extension = library.extension(call);
    code.add("MethodHandle handle_ = %s.HANDLE;", JavaHandles.capital(call.name()));
    if (extension) {
      code.add(
          "MemorySegment %s = extension(\"%s\", %s);",
          FUNCTION, call.name(), call.firstHandle().orElseThrow().name());
    }
    code.add(
        "if (%s == null) {\nreturn %sTable.NOT_SUPPORTED;\n}",
        extension ? FUNCTION : "handle_", library.interfaceName());
  }

  /** The first argument of a handle that is bound to no address. */
  private static Stream<String> address(Library library, Function call) {
    return library.extension(call) ? Stream.of(FUNCTION) : Stream.empty();
  }

  /** The library's function returns nothing, or what the call is about. */
  private static void keeping(Code code, Library library, Function call) {
    List<Parameter> given =
        call.vendors().stream()
            .filter(p -> !(p instanceof Pointer pointer && pointer.returned()))
            .toList();
    String arguments =
        given.stream()
            .map(p -> argument(p) + (p instanceof Pointer at && values(call, at) ? "_room_" : ""))
            .collect(Collectors.joining(", "));
    List<Pointer> sized = call.pointers().stream().filter(p -> values(call, p)).toList();
    code.add(JavaMethods.head(call));
    find(code, library, call);
    offsets(call).forEach(offset -> code.add("if (!isOffset(%d)) {\nreturn 0;\n}", offset));
    code.add(sized.isEmpty() ? "try {" : "try (Arena arena_ = Arena.ofConfined()) {");
    sized.forEach(pointer -> room(code, library, pointer));
    code.add(
        "%s;",
        call.returned()
            .map(made -> kept(made, arguments))
            .orElse("handle_.invokeExact(%s)".formatted(arguments)));
    sized.stream().filter(p -> p.direction().writes()).forEach(p -> move(code, p, true));
    code.add("return 0;\n} catch (Throwable e_) {\nthrow thrown(e_);\n}\n}");
    Stream<String> layouts = given.stream().map(JavaNative::layout);
    holder(
        code,
        library,
        call,
        call.returned().stream()
            .map(JavaNative::scalar)
            .map(JavaLayouts::of)
            .findFirst()
            .map(made -> Stream.concat(Stream.of(made), layouts))
            .orElse(layouts)
            .collect(Collectors.joining(", ")));
  }

  /** Whether the library alone knows how many values there are behind an address. */
  private static boolean values(Function call, Pointer pointer) {
    return pointer.count().orElse(null) instanceof Expression.Name(String count)
        && call.parameter(count).orElse(null) instanceof Parameter.Value value
        && !value.values().isEmpty();
  }

  private static Stream<Integer> offsets(Function call) {
    return call.parameters().stream()
        .filter(p -> p instanceof Parameter.Value value && value.offset() != 0)
        .map(p -> ((Parameter.Value) p).offset());
  }

  /** A place with room for what the library may read or write. */
  private static void room(Code code, Library library, Pointer pointer) {
    code.add(
        """
        if (%1$s < 0 || %1$s > MOST_VALUES) {
        return %2$d;
        }
        long %3$s_room_ = arena_.allocate(MOST_VALUES * %4$dL, 8).address();
        """,
        count(pointer), library.results().invalidValue(), pointer.name(), pointer.target().bytes());
    if (pointer.direction().reads()) {
      move(code, pointer, false);
    }
  }

  private static void move(Code code, Pointer pointer, boolean back) {
    String room = pointer.name() + "_room_";
    code.add(
        "Native.copy(%s, %s, %s * %dL);",
        back ? room : pointer.name(),
        back ? pointer.name() : room,
        count(pointer),
        pointer.target().bytes());
  }

  private static String count(Pointer pointer) {
    return switch (pointer.count().orElseThrow()) {
      case Expression.Name(String name) -> name;
      default -> throw new IllegalStateException(pointer.name());
    };
  }

  private static String kept(Pointer made, String arguments) {
    Scalar type = scalar(made);
    return "Native.put%s(%s, (%s) handle_.invokeExact(%s))"
        .formatted(JavaMethods.accessor(type), made.name(), JavaMethods.type(type), arguments);
  }

  private static Scalar scalar(Pointer pointer) {
    return switch (pointer.target()) {
      case Target.Scalars(Scalar type) -> type;
      default -> throw new IllegalStateException(pointer.name());
    };
  }

  private static void holder(Code code, Library library, Function call, String layouts) {
    boolean nothing = library.keepsResults() && call.returned().isEmpty();
    String type = "FunctionDescriptor.of%s(%s)".formatted(nothing ? "Void" : "", layouts);
    code.add(
        """

        private static final class %1$s {
        static final MethodHandle HANDLE = %2$s;
        }
        """,
        JavaHandles.capital(call.name()),
        library.extension(call)
            ? "LINKER.downcallHandle(%s)".formatted(type)
            : "downcall(\"%s\", %s)".formatted(call.name(), type));
  }

  /** The library's function returns what it makes, and writes its result elsewhere. */
  private static void returning(Code code, Library library, Function call, Pointer made) {
    List<Parameter> given = call.vendors().stream().filter(p -> p != made).toList();
    code.add(JavaMethods.head(call));
    find(code, library, call);
    code.add(
        """
        try (Arena arena_ = Arena.ofConfined()) {
        long status_ = arena_.allocate(ValueLayout.JAVA_INT).address();
        long made_ = (long) handle_.invokeExact(%1$s);
        int result_ = Native.getInt(status_);
        if (result_ == 0 && %2$s != 0) {
        Native.putLong(%2$s, made_);
        }
        return result_;
        } catch (Throwable e_) {
        throw thrown(e_);
        }
        }
        """,
        Stream.of(
                address(library, call),
                given.stream().map(JavaNative::argument),
                Stream.of("status_"))
            .flatMap(s -> s)
            .collect(Collectors.joining(", ")),
        made.name());
    String layouts =
        Stream.of(
                Stream.of("ValueLayout.JAVA_LONG"),
                given.stream().map(JavaNative::layout),
                Stream.of("ValueLayout.JAVA_LONG"))
            .flatMap(s -> s)
            .collect(Collectors.joining(", "));
    holder(code, library, call, layouts);
  }

  private static String layout(Parameter parameter) {
    return parameter instanceof Pointer pointer && pointer.byValue()
        ? JavaLayouts.of(pointer.structure().orElseThrow())
        : JavaLayouts.of(parameter.type());
  }

  private static String argument(Parameter parameter) {
    return parameter instanceof Pointer pointer && pointer.byValue()
        ? "Native.MEMORY.asSlice(%s, %d)".formatted(parameter.name(), pointer.target().bytes())
        : parameter.name();
  }
}
