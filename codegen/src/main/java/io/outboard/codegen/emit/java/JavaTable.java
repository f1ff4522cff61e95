// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Answering;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Symbol;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The table of the calls by number. */
public final class JavaTable implements Emitter {
  /** Calls of one initialising method, so that none is too large for a class file. */
  private static final int GROUP = 256;

  @Override
  public String emit(Library library) {
    Code code = Code.java().add(Notice.java(library));
    code.add(
        """

        import io.outboard.wire.Dispatcher;
        import java.util.Arrays;
        import java.util.Set;

        /** Facts about the calls of {@link %1$s} by their numbers. */
        %2$s
        public final class %1$sTable {
        /** Name of the library in the handshake. */
        public static final String LIBRARY = "%3$s";

        /** Number of the library in frames. */
        public static final int ID = %4$d;

        /** The kinds of its handles: bit k for kind k. */
        public static final long KINDS = 0x%11$xL;

        /** The vendor's shared object. */
        public static final String SONAME = "%5$s";

        /** The highest number of a call. */
        public static final int LEVEL = %6$d;

        /** The library's result for what is not implemented. */
        public static final int NOT_SUPPORTED = %7$d;

        /** The library's result where memory is short. */
        public static final int OUT_OF_MEMORY = %8$d;

        /** The library's result where there is no connection. */
        public static final int UNAVAILABLE = %9$d;

        /** Digest of the spec, 16 bytes as hexadecimal digits. */
        public static final String DIGEST = "%10$s";

        """,
        library.interfaceName(),
        Notice.annotation(library),
        library.name(),
        library.id(),
        library.soname(),
        library.level(),
        library.results().notSupported(),
        library.results().outOfMemory(),
        library.results().unavailable(),
        library.digest(),
        library.kinds().stream().mapToLong(kind -> 1L << kind.id()).sum());
    code.add(
        """
        private static final String[] NAMES = new String[LEVEL + 1];
        private static final byte[] ANSWERING = new byte[LEVEL + 1];

        static {
        Arrays.fill(ANSWERING, (byte) Dispatcher.UNKNOWN);
        """);
    int groups = library.level() / GROUP + 1;
    IntStream.range(0, groups).forEach(group -> code.add("calls%d();", group));
    code.add("}");
    IntStream.range(0, groups).forEach(group -> group(code, library, group));
    if (!library.results().lasting().isEmpty()) {
      lasting(code, library.results().lasting());
    }
    return code.add(
            """

            private static void call(int number, String name, int answering) {
            NAMES[number] = name;
            ANSWERING[number] = (byte) answering;
            }

            private %1$sTable() {}

            /** The name of a call, or null if there is none of that number. */
            public static String name(int number) {
            return number >= 0 && number <= LEVEL ? NAMES[number] : null;
            }

            /** The vendor's symbols that are not implemented: they return {@link #NOT_SUPPORTED}. */
            public static Set<String> refused() {
            return Set.of(%2$s.split(" "));
            }

            /** How a call is to be run, as {@link Dispatcher} says. */
            public static int answering(int number) {
            return number >= 0 && number <= LEVEL ? ANSWERING[number] : Dispatcher.UNKNOWN;
            }
            }
            """,
            library.interfaceName(), refused(library))
        .toString();
  }

  private static void lasting(Code code, List<Integer> results) {
    code.add(
        """

        /** Whether each later call of a lane fails too, once one has had this result. */
        public static boolean lasts(int result) {
        return switch (result) {
        case %s -> true;
        default -> false;
        };
        }
        """,
        results.stream().map(String::valueOf).collect(Collectors.joining(", ")));
  }

  private static String refused(Library library) {
    return library.refused().stream()
        .map(Symbol::name)
        .sorted()
        .collect(Collectors.joining(" ", "\"", "\""));
  }

  private static void group(Code code, Library library, int group) {
    code.add("\nprivate static void calls%d() {", group);
    library.calls().stream()
        .filter(call -> call.number() / GROUP == group)
        .forEach(
            call ->
                code.add(
                    "call(%d, \"%s\", Dispatcher.%s);",
                    call.number(), call.name(), answering(call)));
    code.add("}");
  }

  private static String answering(Function call) {
    return switch (call.answering()) {
      case ASYNC, BLOCKING -> call.answering().name();
      case PLAIN, CACHED, LOCAL, SAME, REFUSED -> Answering.PLAIN.name();
    };
  }
}
