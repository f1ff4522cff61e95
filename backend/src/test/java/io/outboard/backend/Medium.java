// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.ByteStream;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Posix;
import io.outboard.communicator.RingStream;
import io.outboard.communicator.SharedMemory;
import io.outboard.communicator.SocketStream;
import io.outboard.communicator.Sockets;
import io.outboard.testkit.Amount;
import io.outboard.wire.RegionOffer;
import java.io.IOException;

/** What a session's bytes go over. */
enum Medium {
  UNIX,
  TCP,
  SHM;

  private static final long RING = 64 << 10;
  private static final int F_DUPFD_CLOEXEC = 1030;

  /** Both ends; {@code memory} is where the client has the rings, 0 if there are none. */
  record Ends(ByteStream client, ByteStream backend, long memory) {}

  /**
   * How many frames to damage. Fewer in shared memory, where it takes a moment until a client sees
   * that its session has ended.
   */
  int damagedFrames() {
    return this == SHM ? Amount.of(200, 40_000) : Amount.of(9_900, 480_000);
  }

  Ends open() throws IOException {
    int[] pair = this == TCP ? tcp() : unix();
    if (this != SHM) {
      return new Ends(new SocketStream(pair[0]), new SocketStream(pair[1]), 0);
    }
    RegionOffer offer = RegionOffer.of(RING, 0, 4096);
    SharedMemory backend = SharedMemory.create(offer);
    int copy = Posix.fcntl(backend.descriptor(), F_DUPFD_CLOEXEC, 0);
    SharedMemory client = SharedMemory.map(copy, offer);
    return new Ends(
        RingStream.client(client, pair[0]), RingStream.backend(backend, pair[1]), client.address());
  }

  private static int[] unix() throws IOException {
    int[] pair = new int[2];
    if (Sockets.socketpair(pair) != 0) {
      throw new IOException("no sockets");
    }
    return pair;
  }

  private static int[] tcp() throws IOException {
    Endpoint any = Endpoint.parse("tcp://127.0.0.1:0");
    try (Listener listener = Communicator.of(any).listen(any, false)) {
      int client = Communicator.of(any).connect(listener.endpoint());
      return new int[] {client, listener.accept()};
    }
  }
}
