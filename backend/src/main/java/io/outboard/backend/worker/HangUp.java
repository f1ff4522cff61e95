// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.backend.system.Pause;
import io.outboard.backend.system.Room;
import io.outboard.backend.system.SharedPage;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Native;

/**
 * Ends the process as soon as the client or the daemon has gone, also while every thread waits in
 * the driver.
 */
final class HangUp {
  /** What the session still does by itself in this time, a goodbye say, is done in good order. */
  private static final long GRACE_MS = 200;

  private final int client;
  private final int daemon;
  private final SharedPage page;

  HangUp(int client, int daemon, SharedPage page) {
    this.client = client;
    this.daemon = daemon;
    this.page = page;
  }

  void start() {
    Thread.ofPlatform().name("hang-up").daemon(true).start(this::watch);
  }

  private void watch() {
    try (Room pollfds = new Room(2L * Posix.POLLFD)) {
      long second = pollfds.address() + Posix.POLLFD;
      Native.putInt(pollfds.address(), client);
      Native.putShort(pollfds.address() + 4, Posix.POLLRDHUP);
      Native.putInt(second, daemon);
      Native.putShort(second + 4, Posix.POLLRDHUP);
      int ready;
      do {
        ready = Posix.poll(pollfds.address(), 2, -1);
      } while (ready == -Errno.EINTR);
      boolean alone = Native.getShort(second + 6) != 0;
      Pause.ms(GRACE_MS);
      page.cause(alone ? "the daemon has gone" : "the client has gone");
    }
    WorkerEnd.now(0);
  }
}
