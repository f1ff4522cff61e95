// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.backend.system.Log;
import io.outboard.wire.Frame;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Tells a distant client that waits that this side works on: not every end of a machine closes its
 * connections, so the client takes silence for a loss. A client that waits for nothing is told
 * nothing, for it may not read.
 */
public final class Heartbeat implements AutoCloseable {
  /** Much less than the 15 seconds of silence after which a client gives up. */
  public static final long PERIOD_MS = 2_000;

  private final Connection connection;
  private final BooleanSupplier awaited;
  // A bit for each of the session's connections that is away.
  private final IntSupplier away;
  private final long periodNs;
  private final Thread thread = Thread.ofPlatform().name("heartbeat").unstarted(this::beat);
  private volatile boolean closed;

  /**
   * Prepares one.
   *
   * @param awaited whether the client waits for this side
   * @param away a bit for each of the session's connections that is away, which the client may not
   *     have seen
   */
  Heartbeat(Connection connection, BooleanSupplier awaited, IntSupplier away, long periodMs) {
    this.away = away;
    this.connection = connection;
    this.awaited = awaited;
    this.periodNs = TimeUnit.MILLISECONDS.toNanos(periodMs);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void beat() {
    try {
      for (long sent = connection.sent(); !closed; sent = connection.sent()) {
        LockSupport.parkNanos(this, periodNs);
        if (!closed && awaited.getAsBoolean() && connection.sent() == sent) {
          connection.send(Frame.KIND_PONG, away.getAsInt(), new byte[0]);
        }
      }
    } catch (IOException e) {
      Log.debug("a heartbeat for a client that has gone: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  /** Waits until the thread has ended. */
  void await() throws InterruptedException {
    thread.join();
  }
}
