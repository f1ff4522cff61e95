// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.backend.suspend.DeviceMove;
import io.outboard.backend.suspend.SuspensionException;
import io.outboard.lease.Gpu;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Suspends the sessions of a lease, all or none, and resumes them; takes as long as that takes. */
final class Movement {
  private static final System.Logger LOG = System.getLogger(Movement.class.getName());
  private static final long PAUSE_MS = 1_000;

  // Those that are over leave it.
  private final List<LeaseSession> sessions;

  Movement(List<LeaseSession> sessions) {
    this.sessions = new ArrayList<>(sessions);
  }

  /**
   * Suspends them.
   *
   * @param wanted is told of the session when a call of it waits, perhaps before this returns; it
   *     may not block
   * @return bytes that are put aside
   * @throws SuspensionException if one of them that goes on cannot be: then all go on
   */
  long suspend(Duration patience, Consumer<LeaseSession> wanted) throws SuspensionException {
    List<LeaseSession> done = new ArrayList<>();
    long bytes = 0;
    try {
      for (LeaseSession session : List.copyOf(sessions)) {
        bytes += suspendOrEnd(session, patience, () -> wanted.accept(session));
        done.add(session);
      }
      return bytes;
    } catch (SuspensionException e) {
      new Movement(done).resume(List.of(), patience);
      throw e;
    }
  }

  /** Bytes that are put aside; a session that is about to end puts aside nothing, and ends now. */
  private long suspendOrEnd(LeaseSession session, Duration patience, Runnable wanted)
      throws SuspensionException {
    try {
      return session.suspend(patience, wanted);
    } catch (SuspensionException e) {
      if (!e.isOver()) {
        throw e;
      }
      sessions.remove(session);
      session.stop("it was about to end when its lease was suspended");
      return 0;
    }
  }

  /** Whether all of them, suspended, can be resumed on other devices of the same model. */
  boolean canMove() {
    try {
      for (LeaseSession session : sessions) {
        if (!session.canMove()) {
          return false;
        }
      }
      return true;
    } catch (SuspensionException e) {
      LOG.log(System.Logger.Level.DEBUG, "where a session can be resumed is not known", e);
      return false;
    }
  }

  /**
   * Resumes them; tries again for so long, and ends a session that cannot be.
   *
   * @param moves as {@link io.outboard.backend.supervision.ServedSession#resume} has them
   */
  void resume(List<DeviceMove> moves, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    for (LeaseSession session : sessions) {
      resume(session, moves, end);
    }
  }

  private static void resume(LeaseSession session, List<DeviceMove> moves, long end) {
    try {
      while (true) {
        try {
          session.resume(moves);
          return;
        } catch (SuspensionException e) {
          if (e.isOver()) {
            return;
          }
          if (e.isLoss() || System.nanoTime() > end) {
            LOG.log(System.Logger.Level.WARNING, "a session cannot be resumed", e);
            session.stop("it was suspended and cannot be resumed: " + e.getMessage());
            return;
          }
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      session.stop("the backend ends");
    }
  }

  /** Lists the devices that change in a move, old and new. */
  static List<DeviceMove> between(List<Gpu> from, List<Gpu> to) {
    List<DeviceMove> moves = new ArrayList<>();
    for (int place = 0; place < from.size(); place++) {
      if (!from.get(place).is(to.get(place))) {
        moves.add(new DeviceMove(from.get(place).uuid(), to.get(place).uuid()));
      }
    }
    return List.copyOf(moves);
  }
}
