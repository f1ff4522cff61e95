// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Parameter;
import io.outboard.codegen.model.Structure;
import io.outboard.spec.Holds;
import io.outboard.spec.Resource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The backend of a library: decodes, checks and issues each call. */
public final class JavaDispatcher implements Emitter {
  /** Calls of one switch, which stays far below the 8,000 bytes that HotSpot compiles. */
  private static final int GROUP = 64;

  @Override
  public String emit(Library library) {
    String bodies = library.interfaceName() + "Bodies";
    Code code = Code.java().add(Notice.java(library));
    code.add(
        """

        import io.outboard.wire.Call;
        import io.outboard.wire.Dispatcher;
        import io.outboard.wire.Frame;
        import io.outboard.wire.Handles;
        import io.outboard.wire.Meter;
        import io.outboard.wire.Native;
        import io.outboard.wire.ProtocolException;

        /**
        * Decodes and checks the calls of {@link %1$s} and issues them. Handles in structures and arrays are replaced by
        * their values in the body, which must be memory that the peer cannot reach.
        */
        %2$s
        public final class %1$sDispatcher implements Dispatcher {
        private final %1$s[] drivers;

        /** Issues the calls to {@code driver}. */
        public %1$sDispatcher(%1$s driver) {
        drivers = %1$sForwarding.firsts(driver);
        }

        @Override
        public int answering(int number) {
        return %1$sTable.answering(number);
        }

        @Override
        public int level() {
        return %1$sTable.LEVEL;
        }

        @Override
        public String name(int number) {
        return %1$sTable.name(number);
        }

        @Override
        public int notSupported() {
        return %1$sTable.NOT_SUPPORTED;
        }

        @Override
        public int outOfMemory() {
        return %1$sTable.OUT_OF_MEMORY;
        }

        @Override
        public boolean takesOfDevices() {
        return %3$b;
        }
        """,
        library.interfaceName(), Notice.annotation(library), takes(library));
    if (!library.results().lasting().isEmpty()) {
      lasting(code, library);
    }
    dispatch(code, library);
    library.calls().forEach(call -> new JavaCall(bodies, library, call).emit(code));
    for (Structure structure : library.structures()) {
      new JavaStructures(code, bodies).emit(structure);
    }
    JavaHandles.emit(code, library);
    return code.add("}").toString();
  }

  private static boolean takes(Library library) {
    return library.kinds().stream().anyMatch(kind -> kind.holds() != Holds.NOTHING)
        || library.calls().stream()
            .anyMatch(
                call ->
                    call.deviceWork()
                        || call.parameters().stream().anyMatch(JavaDispatcher::isOfDevice)
                        || call.taking().filter(t -> t.resource() != Resource.NOTHING).isPresent());
  }

  private static boolean isOfDevice(Parameter parameter) {
    return switch (parameter) {
      case Parameter.Value value -> value.address();
      case Parameter.Pointer pointer -> pointer.address();
      case Parameter.Callback _, Parameter.UserData _ -> false;
    };
  }

  private static void lasting(Code code, Library library) {
    code.add(
        """

        @Override
        public boolean lasts(int result) {
        return %sTable.lasts(result);
        }
        """,
        library.interfaceName());
  }

  private static void dispatch(Code code, Library library) {
    Map<Integer, List<Function>> groups =
        library.calls().stream()
            .collect(
                Collectors.groupingBy(
                    call -> call.number() / GROUP, TreeMap::new, Collectors.toList()));
    code.add(
        """

        @Override
        public int dispatch(int number, Call call) {
        return switch (number / %d) {
        """,
        GROUP);
    groups.keySet().forEach(group -> code.add("case %1$d -> dispatch%1$d(number, call);", group));
    code.add("default -> notSupported();\n};\n}");
    groups.forEach((group, calls) -> group(code, group, calls));
  }

  private static void group(Code code, int group, List<Function> calls) {
    code.add("\nprivate int dispatch%d(int number, Call call) {\nreturn switch (number) {", group);
    calls.forEach(call -> code.add("case %d -> %s(call);", call.number(), call.name()));
    code.add("default -> notSupported();\n};\n}");
  }
}
