// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Member;
import io.outboard.codegen.model.Structure;

/** The client for programs on the JVM. */
public final class JavaRemote implements Emitter {
  private static final String COMMON =
      """

      /** Sends the calls through {@code caller}. */
      public %1$sRemote(Caller caller) {
      this.caller = caller;
      }
      """;

  private static final String OWN =
      """
      private final int perThread;

      /** Sends the calls through {@code caller}. */
      public %1$sRemote(Caller caller) {
      this(caller, false);
      }

      /**
      * Sends the calls through {@code caller}.
      *
      * @param perThread whether these are the forms whose names end in {@code _ptds} or {@code
      *     _ptsz}: stream 0 is the calling thread's own
      */
      public %1$sRemote(Caller caller, boolean perThread) {
      this.caller = caller;
      this.perThread = perThread ? Frame.FLAG_PER_THREAD : 0;
      }
      """;

  @Override
  public String emit(Library library) {
    String bodies = library.interfaceName() + "Bodies";
    Code code = Code.java().add(Notice.java(library));
    code.add(
        """

        import io.outboard.wire.Caller;
        import io.outboard.wire.Frame;
        import io.outboard.wire.Limits;
        import io.outboard.wire.Native;

        /**
        * A {@link %1$s} that is somewhere else.
        */
        %2$s
        public class %1$sRemote implements %1$s {
        private static final int INVALID_VALUE = %3$d;

        private final Caller caller;
        """,
        library.interfaceName(), Notice.annotation(library), library.results().invalidValue());
    code.add(
        library.kinds().stream().anyMatch(kind -> kind.perThread() != 0) ? OWN : COMMON,
        library.interfaceName());
    for (Function call : library.calls()) {
      new JavaRemoteCall(library.interfaceName(), library.results(), call).emit(code);
    }
    library.structures().stream()
        .filter(Structure::hasPointers)
        .forEach(structure -> append(code, bodies, structure));
    return code.add("}").toString();
  }

  /** Sends the arrays that a structure points to. */
  private static void append(Code code, String bodies, Structure structure) {
    code.add(
        "\nprivate static boolean append%s(Caller.Request request_, long from_) {",
        structure.name());
    for (Member member : structure.members()) {
      switch (member) {
        case Member.Counted counted -> append(code, bodies, structure, counted);
        case Member.Nested nested when nested.structure().hasPointers() ->
            elements(
                code,
                "from_ + " + nested.offset(),
                Integer.toString(nested.elements()),
                nested.structure());
        case Member.Nested _, Member.Plain _, Member.Choice _ -> {}
      }
    }
    code.add("return true;\n}");
  }

  private static void append(
      Code code, String bodies, Structure structure, Member.Counted counted) {
    String count = JavaStructures.count(structure, counted);
    code.add(
        """
        if (Native.getLong(from_ + %1$d) != 0) {
        long bytes_ = %2$s.times(%3$s, %4$d);
        if (bytes_ < 0) {
        return false;
        }
        request_.append(Native.getLong(from_ + %1$d), bytes_);
        """,
        counted.offset(), bodies, count, counted.target().bytes());
    counted
        .structure()
        .filter(Structure::hasPointers)
        .ifPresent(
            element ->
                elements(
                    code,
                    "Native.getLong(from_ + %d)".formatted(counted.offset()),
                    count,
                    element));
    code.add("}");
  }

  private static void elements(Code code, String address, String count, Structure element) {
    code.add(
        """
        for (long element_ = %1$s, left_ = %2$s; left_ > 0; left_--, element_ += %3$d) {
        if (!append%4$s(request_, element_)) {
        return false;
        }
        }
        """,
        address, count, element.bytes(), element.name());
  }
}
