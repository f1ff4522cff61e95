// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.gl;

import io.outboard.backend.library.SessionContext;
import io.outboard.gl.vendor.GlObjects;
import java.util.Optional;
import java.util.function.IntSupplier;

/** OpenGL of a session, for other libraries of it; there is none before the program asks for it. */
public final class SessionGl {
  private record Opened(AffineThreads threads, GlObjects objects) {}

  private volatile Opened opened;

  /** A session's. */
  public static SessionGl of(SessionContext context) {
    return context.shared(SessionGl.class, SessionGl::new);
  }

  void opens(AffineThreads threads, GlObjects objects) {
    opened = new Opened(threads, objects);
  }

  /** The buffers and textures of the context that is current to the executing thread. */
  public Optional<GlObjects> current() {
    return Optional.ofNullable(opened).map(Opened::objects).filter(GlObjects::isCurrent);
  }

  /**
   * Does something on the thread on which a client's thread has its context, behind all that it has
   * posted; on the executing one without OpenGL.
   *
   * @param noRoom the result where there is no thread for it
   */
  public int run(int thread, IntSupplier work, int noRoom) {
    Opened now = opened;
    return now == null ? work.getAsInt() : now.threads.run(thread, work, noRoom);
  }
}
