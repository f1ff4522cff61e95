// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.gl;

import io.outboard.backend.library.HeldDevices;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.gl.vendor.GlObjects;
import io.outboard.wire.Dispatcher;
import java.util.BitSet;

/** OpenGL for one session. Each call is made on the thread that is its client's thread's own. */
final class GlInstance implements LibraryInstance {
  private final AffineThreads threads;
  private final BitSet known = new BitSet();

  GlInstance(Dispatcher calls, GlObjects objects, SessionGl session) {
    threads = new AffineThreads(calls);
    session.opens(threads, objects);
    for (int number = 1; number <= calls.level(); number++) {
      known.set(number, calls.answering(number) != Dispatcher.UNKNOWN);
    }
  }

  @Override
  public Dispatcher dispatcher() {
    return threads;
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
}
