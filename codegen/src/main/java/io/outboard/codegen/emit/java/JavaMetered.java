// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;

/** The base of decorators that hold up and measure the devices' computing. */
public final class JavaMetered implements Emitter {
  /** The queue of calls that name none. */
  private static final String DEFAULT_QUEUE = "0";

  @Override
  public String emit(Library library) {
    Code code = Code.java().add(Notice.java(library));
    code.add(
        """

        /**
         * Has every call that asks a device to compute pass a meter before and after it goes on to another {@link
         * %1$s}. Nothing is allocated for it.
         */
        %2$s
        public abstract class %1$sMetered extends %1$sForwarding {
        /** Meters what goes to {@code delegate}. */
        protected %1$sMetered(%1$s delegate) {
        super(delegate);
        }

        /**
         * Waits until a piece of work may be begun. {@link #begun} follows on the same thread.
         *
         * @return which device it is for, as {@link #begun} is told
         */
        protected abstract int begin();

        /**
         * A piece of work was begun, or was refused.
         *
         * @param device what {@link #begin} returned
         * @param queue where the work went; 0 for the default queue
         * @param result of the call
         * @return the result that the caller gets
         */
        protected abstract int begun(int device, long queue, int result);
        """,
        library.interfaceName(), Notice.annotation(library));
    library.calls().stream().filter(Function::metered).forEach(call -> method(code, call));
    return code.add("}").toString();
  }

  private static void method(Code code, Function call) {
    code.add(JavaMethods.head(call));
    code.add(
        """
        int device_ = begin();
        int result_ = delegate.%s(%s);
        return begun(device_, %s, result_);
        }
        """,
        call.name(),
        JavaMethods.arguments(call),
        call.workIn().isEmpty() ? DEFAULT_QUEUE : call.workIn());
  }
}
