// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import io.outboard.backend.launch.WorkerProcess;
import io.outboard.communicator.greeting.Peer;
import io.outboard.wire.Bytes;
import io.outboard.wire.Token;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The sessions that are open, by their identities, for further connections of their clients; and
 * those that have ended without their clients, who may come back to ask.
 */
public final class OpenSessions {
  /** Of those that have ended: the oldest are forgotten first. */
  public static final int MOST_ENDED = 1_024;

  private final Map<Bytes, Opened> sessions = new ConcurrentHashMap<>();
  // The oldest first; guarded by itself.
  private final SequencedMap<Bytes, Ended> ended = new LinkedHashMap<>();

  /**
   * A session.
   *
   * @param worker serves it
   * @param opener who has opened it
   * @param proven the token that the opener has proven, if it had to
   * @param returning what a client proves that has lost its connection
   * @param lasts whether it may go on then; otherwise it asks why the session is over
   */
  public record Opened(
      WorkerProcess worker,
      Peer.Principal opener,
      Optional<Token> proven,
      Token returning,
      boolean lasts) {}

  /**
   * A session that has ended without its client.
   *
   * @param key what the client proves
   * @param why it has ended
   * @param seconds for which the client may come and ask
   */
  public record Ended(Token key, String why, int seconds) {}

  /** Further connections of a client find its session from now on. */
  public void add(Bytes identity, Opened session) {
    sessions.put(identity, session);
  }

  /** Nobody finds it any more. */
  public void remove(Bytes identity) {
    sessions.remove(identity);
    synchronized (ended) {
      ended.notifyAll();
    }
  }

  /** Waits until nobody finds it any more, at most so long, or until this thread is interrupted. */
  public void awaitRemoval(Bytes identity, Duration most) {
    long end = System.nanoTime() + most.toNanos();
    try {
      synchronized (ended) {
        for (long left = most.toMillis();
            left > 0 && sessions.containsKey(identity);
            left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
          ended.wait(left);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Keeps what the client of one that has ended hears, as long as it may come back. */
  public void keep(Bytes identity, Ended one) {
    synchronized (ended) {
      ended.put(identity, one);
      if (ended.size() > MOST_ENDED) {
        ended.pollFirstEntry();
      }
    }
    CompletableFuture.delayedExecutor(one.seconds(), TimeUnit.SECONDS)
        .execute(() -> forget(identity));
  }

  private void forget(Bytes identity) {
    synchronized (ended) {
      ended.remove(identity);
    }
  }

  /** One that has ended. */
  public Optional<Ended> ended(Bytes identity) {
    synchronized (ended) {
      return Optional.ofNullable(ended.get(identity));
    }
  }

  /** One that is open. */
  public Optional<Opened> find(Bytes identity) {
    return Optional.ofNullable(sessions.get(identity));
  }
}
