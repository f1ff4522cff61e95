// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.backend.session.LastingStream;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.backend.system.Pause;
import io.outboard.backend.system.SharedPage;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Native;

/**
 * Ends the process as soon as the client has gone, or the daemon where the session does not outlive
 * that, also while every thread waits in the driver.
 */
final class PeerLossWatch {
  /** Time for the session's own end, a goodbye say, in good order. */
  private static final long GRACE_MS = 200;

  /** For poll(2): no descriptor. */
  private static final int NOBODY = -1;

  private static final int LOOK_MS = 100;

  private final int client;
  // None where the session goes on without it.
  private final int daemon;
  private final SharedPage page;
  // Null where the session ends with its connection.
  private volatile LastingStream lasting;

  PeerLossWatch(int client, DaemonLink daemon, SharedPage page) {
    this.client = client;
    this.daemon = daemon.outlives() ? NOBODY : daemon.connection();
    this.page = page;
  }

  /** From here on the client may come back. */
  void outlive(LastingStream stream) {
    lasting = stream;
  }

  void start() {
    Thread.ofPlatform().name("hang-up").daemon(true).start(this::watch);
  }

  private void watch() {
    try (NativeBuffer pollfds = new NativeBuffer(2L * Posix.POLLFD)) {
      long second = pollfds.address() + Posix.POLLFD;
      Native.putShort(pollfds.address() + 4, Posix.POLLRDHUP);
      Native.putInt(second, daemon);
      Native.putShort(second + 4, Posix.POLLRDHUP);
      boolean alone = false;
      for (boolean goesOn = true; goesOn; ) {
        boolean hungUp = awaitEvent(pollfds.address());
        alone = Native.getShort(second + 6) != 0;
        goesOn = !alone && (!hungUp || outlives()) && !isExpired();
      }
      Pause.ms(GRACE_MS);
      page.cause(cause(alone));
    }
    WorkerEnd.now(0);
  }

  /** Whether the client has hung up; one that is away is looked for now and then. */
  private boolean awaitEvent(long pollfds) {
    boolean away = lasting != null && lasting.isGone();
    int ready;
    Native.putInt(pollfds, away ? NOBODY : client);
    do {
      ready = Posix.poll(pollfds, 2, away ? LOOK_MS : -1);
    } while (ready == -Errno.EINTR);
    return !away && Native.getShort(pollfds + 6) != 0;
  }

  private boolean outlives() {
    if (lasting == null) {
      return false;
    }
    lasting.hungUp();
    return true;
  }

  private String cause(boolean alone) {
    if (alone) {
      return "the daemon has gone";
    }
    return isExpired() ? LastingStream.EXPIRED : "the client has gone";
  }

  private boolean isExpired() {
    return lasting != null && lasting.isExpired();
  }
}
