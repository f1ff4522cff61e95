// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.system.Log;
import io.outboard.backend.worker.HostRequest;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Slot;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * The connections to other hosts that a worker asks for, since it has lost others. The worker
 * counts as hostile: it gets only what it could have had, and few at a time.
 */
final class JoinRequests {
  private final int channel;
  private final Supplier<JoinedHosts> hosts;
  private final Semaphore free = new Semaphore(Slot.MOST);

  private JoinRequests(int channel, Supplier<JoinedHosts> hosts) {
    this.channel = channel;
    this.hosts = hosts;
  }

  /**
   * Serves a worker until it ends.
   *
   * @param hosts those that it has, as they are when it asks
   * @return its end, the caller's to close
   */
  static int open(Supplier<JoinedHosts> hosts) throws IOException {
    int[] pair = new int[2];
    Errno.check(Sockets.socketpair(pair), "socketpair");
    JoinRequests requests = new JoinRequests(pair[0], hosts);
    start("requests", requests::read);
    return pair[1];
  }

  private static void start(String name, Runnable work) {
    Thread.ofPlatform().name(name).daemon(true).start(work);
  }

  private void read() {
    try {
      for (Optional<HostRequest> next = HostRequest.receive(channel);
          next.isPresent();
          next = HostRequest.receive(channel)) {
        take(next.get());
      }
    } finally {
      Posix.close(channel);
    }
  }

  private void take(HostRequest request) {
    if (free.tryAcquire()) {
      start("request", () -> serve(request));
    } else {
      Posix.close(request.socket());
    }
  }

  private void serve(HostRequest request) {
    try {
      answer(request);
    } catch (IOException | ProtocolException e) {
      Log.debug("a worker gets no connection to another host: " + e.getMessage());
    } finally {
      Posix.close(request.socket());
      free.release();
    }
  }

  private void answer(HostRequest request) throws IOException {
    Welcome session = request.session();
    try {
      int connection = hosts.get().connect(request.slot(), session, request.milliseconds());
      try {
        request.grant(session, connection);
      } finally {
        Posix.close(connection);
      }
    } catch (RefusedException e) {
      request.refuse(e.refusal());
    }
  }
}
