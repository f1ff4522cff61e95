// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.gl;

import io.outboard.backend.library.HeldDevices;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.LoggedCall;
import io.outboard.gl.GlResult;
import io.outboard.wire.Call;
import io.outboard.wire.Dispatcher;
import java.util.BitSet;

/** OpenGL for one session. Each call is made on the thread that is its client's thread's own. */
final class GlInstance implements LibraryInstance {
  private final AffineThreads threads = new AffineThreads();
  private final Dispatcher affine;
  private final BitSet known = new BitSet();

  GlInstance(Dispatcher calls) {
    affine = new Affine(calls, threads);
    for (int number = 1; number <= calls.level(); number++) {
      known.set(number, calls.answering(number) != Dispatcher.UNKNOWN);
    }
  }

  @Override
  public Dispatcher dispatcher() {
    return affine;
  }

  @Override
  public BitSet calls() {
    return known;
  }

  @Override
  public void enter(int lane, int thread) {}

  /** Nobody can put aside what OpenGL has on a device. */
  @Override
  public HeldDevices held() {
    return HeldDevices.UNKNOWN;
  }

  @Override
  public void threadEnded(int thread) {
    threads.ended(thread);
  }

  @Override
  public void close() {
    threads.close();
  }

  /** Has each call made on its client's thread's own. */
  private record Affine(Dispatcher calls, AffineThreads threads) implements Dispatcher {
    @Override
    public int dispatch(int number, Call call) {
      int thread = ((LoggedCall) call).thread();
      return threads
          .run(thread, () -> calls.dispatch(number, call))
          .orElse(GlResult.BAD_ALLOC);
    }

    @Override
    public int answering(int number) {
      return calls.answering(number);
    }

    @Override
    public int level() {
      return calls.level();
    }

    @Override
    public boolean takesOfDevices() {
      return calls.takesOfDevices();
    }

    @Override
    public int notSupported() {
      return calls.notSupported();
    }

    @Override
    public int outOfMemory() {
      return calls.outOfMemory();
    }
  }
}
