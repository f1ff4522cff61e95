// SPDX-License-Identifier: Apache-2.0
package example;

import io.outboard.communicator.*;
import io.outboard.communicator.posix.*;
import io.outboard.communicator.socket.*;
import java.io.IOException;
import java.lang.foreign.Arena;

/** {@code slow:PATH}: a Unix socket on which whatever is sent, either way, arrives a millisecond late. */
public final class SlowCommunicator implements Communicator {
  private static final int BYTES = 1 << 16;
  private static final int LATE_MS = 1;

  private final Communicator unix = new UnixCommunicator();

  @Override public String scheme() { return "slow"; }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(Distance.SAME_MACHINE, Capability.VOUCHING, Capability.OWN_USE);
  }

  @Override
  public int connect(Endpoint endpoint) throws IOException {
    return unix.connect(Endpoint.unix(endpoint.requirePath()));
  }

  @Override
  public Listener listen(Endpoint endpoint, Listening how) throws IOException {
    Listener listener = unix.listen(Endpoint.unix(endpoint.requirePath()), how);
    return new Listener() {
      @Override public Endpoint endpoint() { return endpoint; }

      @Override public int accept() throws IOException { return next(listener); }

      // The others were turned away.
      @Override public Origin origin(int descriptor) { return new Origin.Owner(Processes.getuid()); }

      @Override public void close() { listener.close(); }
    };
  }

  private static int next(Listener listener) throws IOException {
    int client = listener.accept();
    while (client != Listener.CLOSED && !listener.vouched(client)) {
      Posix.close(client);
      client = listener.accept();
    }
    return client == Listener.CLOSED ? client : delayed(client);
  }

  /** The backend gets one end of a pair; two threads carry what passes between the other end and the client. */
  private static int delayed(int client) throws IOException {
    int[] pair = new int[2];
    Errno.check(Sockets.socketpair(pair), "cannot make a pair of sockets");
    Thread there = Thread.ofPlatform().daemon().start(() -> carry(client, pair[1]));
    Thread.ofPlatform().daemon().start(() -> {
      carry(pair[1], client);
      joined(there);
      Posix.close(client);
      Posix.close(pair[1]);
    });
    return pair[0];
  }

  private static void carry(int from, int to) {
    try (Arena arena = Arena.ofConfined()) {
      long bytes = arena.allocate(BYTES).address();
      for (long n = 1; n > 0; ) {
        n = Posix.read(from, bytes, BYTES);
        Thread.sleep(LATE_MS);
        n = n > 0 && Posix.writeAll(to, bytes, n) < 0 ? 0 : n;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Sockets.shutdown(from, Sockets.SHUT_RDWR);
    Sockets.shutdown(to, Sockets.SHUT_RDWR);
  }

  private static void joined(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
