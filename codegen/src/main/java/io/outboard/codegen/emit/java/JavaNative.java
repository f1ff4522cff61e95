// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Parameter.Pointer;
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

  @Override
  public String emit(Library library) {
    List<Function> bound = library.calls().stream().filter(call -> !call.boundByHand()).toList();
    boolean extended = bound.stream().anyMatch(library::extension);
    boolean whole =
        !extended
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

  private static void holder(Code code, Library library, Function call, String layouts) {
    String type = "FunctionDescriptor.of(%s)".formatted(layouts);
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
