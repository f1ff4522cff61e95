// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.graphics;

import io.outboard.backend.gl.SessionGl;
import io.outboard.backend.library.DispatcherForwarding;
import io.outboard.backend.library.LoggedCall;
import io.outboard.backend.library.SessionContext;
import io.outboard.wire.Call;
import io.outboard.wire.Dispatcher;
import java.util.BitSet;
import java.util.function.Supplier;

/**
 * CUDA's calls about what OpenGL has are made where the OpenGL context of the client's thread is
 * current: on the thread that is its own. The CUDA context is that of the calling thread.
 */
public final class GraphicsCalls extends DispatcherForwarding {
  private static final String PREFIX = "cuGraphics";

  private final Supplier<Runnable> contexts;
  private final SessionGl gl;
  private final BitSet calls = new BitSet();

  /**
   * Runs the calls of a session.
   *
   * @param contexts has another thread enter the CUDA context of the executing one
   */
  public GraphicsCalls(Dispatcher delegate, SessionContext session, Supplier<Runnable> contexts) {
    super(delegate);
    this.contexts = contexts;
    gl = SessionGl.of(session);
    for (int number = 1; number <= delegate.level(); number++) {
      String name = delegate.name(number);
      calls.set(number, name != null && name.startsWith(PREFIX));
    }
  }

  @Override
  public int dispatch(int number, Call call) {
    return calls.get(number)
        ? onItsThread(number, (LoggedCall) call)
        : delegate.dispatch(number, call);
  }

  private int onItsThread(int number, LoggedCall call) {
    Runnable context = contexts.get();
    return gl.run(
        call.thread(),
        () -> {
          context.run();
          return delegate.dispatch(number, call);
        },
        outOfMemory());
  }
}
