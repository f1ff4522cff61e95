// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Library;

/** The base of decorators. */
public final class JavaForwarding implements Emitter {
  @Override
  public String emit(Library library) {
    Code code = Code.java().add(Notice.java(library));
    code.add(
        """

        import io.outboard.wire.Overrides;
        import java.util.Arrays;

        /** Hands every call to another {@link %1$s}; decorators override what concerns them. */
        %2$s
        public abstract class %1$sForwarding implements %1$s {
        private static final Overrides OVERRIDES = new Overrides(%1$sForwarding.class, %1$sTable::name, %1$sTable.LEVEL);

        /** Where the calls go. */
        protected final %1$s delegate;

        /** Forwards to {@code delegate}. */
        protected %1$sForwarding(%1$s delegate) {
        this.delegate = delegate;
        }

        /** By each call's number who does something about it first: {@code driver}, or somebody behind it if that only hands the call on. */
        static %1$s[] firsts(%1$s driver) {
        if (!(driver instanceof %1$sForwarding decorator)) {
        %1$s[] firsts = new %1$s[%1$sTable.LEVEL + 1];
        Arrays.fill(firsts, driver);
        return firsts;
        }
        %1$s[] firsts = firsts(decorator.delegate);
        OVERRIDES.of(decorator.getClass()).stream().forEach(number -> firsts[number] = decorator);
        return firsts;
        }
        """,
        library.interfaceName(), Notice.annotation(library));
    library
        .functions()
        .forEach(
            function -> {
              code.add(JavaMethods.head(function));
              code.add(
                  "return delegate.%s(%s);\n}", function.name(), JavaMethods.arguments(function));
            });
    return code.add("}").toString();
  }
}
