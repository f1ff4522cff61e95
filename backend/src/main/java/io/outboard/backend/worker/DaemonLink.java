// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.Pause;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The connection of a worker that serves to its daemon, and to the next daemon once that has gone.
 * The descriptor keeps its number. A worker without a daemon goes on with its session, and ends
 * with it: nobody else can end it but its client.
 */
final class DaemonLink {
  private static final int BACKLOG = 4;
  private static final long ACCEPT_PAUSE_MS = 100;

  private final int connection;
  private final Optional<Succession> succession;
  private final int user;
  private final int[] pages;
  private volatile boolean alone;

  DaemonLink(int connection, HandOver handOver) {
    this.connection = connection;
    this.succession = handOver.succession();
    this.user = Sockets.peerUser(connection);
    this.pages =
        IntStream.of(handOver.page(), handOver.allotment().page(), handOver.allotment().events())
            .filter(page -> page >= 0)
            .toArray();
  }

  int connection() {
    return connection;
  }

  /** Whether the session goes on without the daemon. */
  boolean outlives() {
    return succession.isPresent();
  }

  /** From here on the end of the daemon is not this process's. */
  void prepare() throws IOException {
    if (outlives()) {
      Errno.check(Sockets.listen(succession.get().socket(), BACKLOG), "cannot await a daemon");
      WorkerEnd.before(this::removeFiles);
    }
  }

  /** A daemon removes them itself. */
  private void removeFiles() {
    if (alone) {
      Posix.unlink(succession.get().path());
      Posix.unlink(succession.get().path() + Succession.FACTS);
    }
  }

  /** The daemon has gone: waits for the next; false where there will be none. */
  boolean awaitNext() {
    alone = true;
    if (outlives()) {
      Log.info("the daemon has gone; the session goes on");
    }
    try {
      while (outlives() && alone) {
        accept();
      }
    } catch (TakeOver.OtherVersion e) {
      Log.warn("this worker ends with its session: " + e.getMessage());
      Posix.close(succession.get().socket());
    }
    return !alone;
  }

  private void accept() throws TakeOver.OtherVersion {
    int next = Sockets.accept(succession.get().socket());
    if (next < 0) {
      Pause.ms(ACCEPT_PAUSE_MS);
      return;
    }
    try {
      offer(next);
    } catch (TakeOver.OtherVersion e) {
      throw e;
    } catch (IOException e) {
      Log.warn("somebody does not take this worker over: " + e.getMessage());
    } finally {
      Posix.close(next);
    }
  }

  private void offer(int next) throws IOException {
    if (Sockets.peerUser(next) != user) {
      throw new IOException("it is another user");
    }
    TakeOver.offer(next, succession.get().key(), pages);
    Errno.check(Posix.dup2(next, connection), "a connection cannot take another one's place");
    alone = false;
    Log.info("the next daemon has this session");
  }
}
