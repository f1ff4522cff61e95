// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.warmup;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.region.RingStream;
import io.outboard.communicator.region.SharedMemory;
import io.outboard.communicator.stream.ByteStream;
import io.outboard.communicator.stream.SocketStream;
import io.outboard.wire.RegionOffer;
import java.io.IOException;

/**
 * Both ends of a session's bytes within one process.
 *
 * @param memory where the client has the rings, 0 if there are none
 */
public record StreamPair(ByteStream client, ByteStream backend, long memory) {
  private static final int F_DUPFD_CLOEXEC = 1030;

  /** Over two sockets that are connected to each other. */
  public static StreamPair ofSockets(int client, int backend) {
    return new StreamPair(new SocketStream(client), new SocketStream(backend), 0);
  }

  /** Over a pair of Unix sockets. */
  public static StreamPair overSockets() throws IOException {
    int[] pair = sockets();
    return ofSockets(pair[0], pair[1]);
  }

  /** Over rings in shared memory. */
  public static StreamPair overRings(RegionOffer offer) throws IOException {
    int[] pair = sockets();
    SharedMemory backend = SharedMemory.create(offer);
    int copy = Posix.fcntl(backend.descriptor(), F_DUPFD_CLOEXEC, 0);
    SharedMemory client = SharedMemory.map(copy, offer);
    return new StreamPair(
        RingStream.client(client, pair[0]), RingStream.backend(backend, pair[1]), client.address());
  }

  private static int[] sockets() throws IOException {
    int[] pair = new int[2];
    Errno.check(Sockets.socketpair(pair), "socketpair");
    return pair;
  }
}
