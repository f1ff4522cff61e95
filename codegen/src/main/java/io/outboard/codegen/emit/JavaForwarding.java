// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit;

import io.outboard.codegen.model.Library;

/** The base of decorators. */
final class JavaForwarding implements Emitter {
  @Override
  public String emit(Library library) {
    Code code = Code.java().add(Notice.java(library));
    code.add(
        """

        /** Hands every call to another {@link %1$s}; decorators override what concerns them. */
        %2$s
        public abstract class %1$sForwarding implements %1$s {
        /** Where the calls go. */
        protected final %1$s delegate;

        /** Forwards to {@code delegate}. */
        protected %1$sForwarding(%1$s delegate) {
        this.delegate = delegate;
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
