// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.emit.text.Signatures;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Parameter;
import java.util.stream.Collectors;

/** The driver's side of the log of calls. */
public final class JavaLogged implements Emitter {
  @Override
  public String emit(Library library) {
    Signatures signatures = new Signatures(library);
    Code code = Code.java().add(Notice.java(library));
    code.add(
        """

        import io.outboard.wire.CallLog;
        import java.util.List;

        /** Tells a {@link CallLog} of each call before it hands it to another {@link %1$s}. */
        %2$s
        public final class %1$sLogged extends %1$sForwarding {
        /** The structures that the calls' signatures refer to. */
        public static final List<String> STRUCTURES =
        List.of(
        %3$s);

        private final CallLog log_;

        /** Logs what goes to {@code delegate}. */
        public %1$sLogged(%1$s delegate, CallLog log) {
        super(delegate);
        this.log_ = log;
        }
        """,
        library.interfaceName(),
        Notice.annotation(library),
        signatures.structures().stream()
            .map(structure -> '"' + structure + '"')
            .collect(Collectors.joining(",\n")));
    library
        .calls()
        .forEach(
            call -> {
              code.add(JavaMethods.head(call));
              code.add("log_.called(\"%s\"%s);", signatures.of(call), values(call));
              String arguments = JavaMethods.arguments(call);
              code.add("return log_.returned(delegate.%s(%s));\n}", call.name(), arguments);
            });
    return code.add("}").toString();
  }

  private static String values(Function call) {
    return call.parameters().stream().map(JavaLogged::value).collect(Collectors.joining());
  }

  private static String value(Parameter parameter) {
    return ", "
        + switch (parameter.type()) {
          case FLOAT -> "Float.floatToRawIntBits(%s)".formatted(parameter.name());
          case DOUBLE -> "Double.doubleToRawLongBits(%s)".formatted(parameter.name());
          default -> parameter.name();
        };
  }
}
