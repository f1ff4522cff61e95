// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.backend.warmup.StreamPair;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.testkit.Amount;
import io.outboard.wire.RegionOffer;
import java.io.IOException;

/** The medium of a session's bytes. */
enum Medium {
  UNIX,
  TCP,
  SHM;

  private static final long RING = 64 << 10;

  /**
   * How many frames to damage. Fewer in shared memory, where it takes a moment until a client sees
   * that its session has ended.
   */
  int damagedFrames() {
    return this == SHM ? Amount.of(200, 40_000) : Amount.of(9_900, 480_000);
  }

  StreamPair open() throws IOException {
    return switch (this) {
      case UNIX -> StreamPair.overSockets();
      case TCP -> tcp();
      case SHM -> StreamPair.overRings(RegionOffer.of(RING, 0, 4096));
    };
  }

  private static StreamPair tcp() throws IOException {
    Endpoint any = Endpoint.parse("tcp://127.0.0.1:0");
    try (Listener listener = Communicator.of(any).listen(any, Listening.PLAIN)) {
      int client = Communicator.of(any).connect(listener.endpoint());
      return StreamPair.ofSockets(client, listener.accept());
    }
  }
}
