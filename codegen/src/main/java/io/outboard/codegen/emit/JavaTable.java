// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit;

import io.outboard.codegen.model.Answering;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import java.util.Map;
import java.util.TreeMap;

/** What is known of the calls by number. */
final class JavaTable implements Emitter {
  @Override
  public String emit(Library library) {
    Map<Integer, Function> calls = new TreeMap<>();
    library.calls().forEach(call -> calls.put(call.number(), call));
    Code code = Code.java().add(Notice.java(library));
    code.add(
        """

        import io.outboard.wire.Dispatcher;

        /** What is known of the calls of {@link %1$s} by their numbers. */
        %2$s
        public final class %1$sTable {
        /** Name of the library in the handshake. */
        public static final String LIBRARY = "%3$s";

        /** Number of the library in frames. */
        public static final int ID = %4$d;

        /** The vendor's shared object. */
        public static final String SONAME = "%5$s";

        /** The highest number of a call. */
        public static final int LEVEL = %6$d;

        /** The library's result for what is not implemented. */
        public static final int NOT_SUPPORTED = %7$d;

        /** The library's result where there is no connection. */
        public static final int UNAVAILABLE = %8$d;

        /** Digest of the spec, 16 bytes as hexadecimal digits. */
        public static final String DIGEST = "%9$s";

        """,
        library.interfaceName(),
        Notice.annotation(library),
        library.name(),
        library.id(),
        library.soname(),
        library.level(),
        library.results().notSupported(),
        library.results().unavailable(),
        library.digest());
    code.add("private static final String[] NAMES = {");
    for (int number = 0; number <= library.level(); number++) {
      Function call = calls.get(number);
      code.add(call == null ? "null," : "\"%s\",", call == null ? "" : call.name());
    }
    code.add("};\n\nprivate static final byte[] ANSWERING = {");
    for (int number = 0; number <= library.level(); number++) {
      code.add(
          "Dispatcher.%s,", calls.containsKey(number) ? answering(calls.get(number)) : "UNKNOWN");
    }
    return code.add(
            """
            };

            private %sTable() {}

            /** The name of a call, or null if there is none of that number. */
            public static String name(int number) {
            return number >= 0 && number <= LEVEL ? NAMES[number] : null;
            }

            /** How a call is to be run, as {@link Dispatcher} says. */
            public static int answering(int number) {
            return number >= 0 && number <= LEVEL ? ANSWERING[number] : Dispatcher.UNKNOWN;
            }
            }
            """,
            library.interfaceName())
        .toString();
  }

  private static String answering(Function call) {
    return switch (call.answering()) {
      case ASYNC, BLOCKING -> call.answering().name();
      case PLAIN, CACHED, LOCAL -> Answering.PLAIN.name();
    };
  }
}
