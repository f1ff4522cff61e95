// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.backend.warmup.StreamPair;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.region.GuestMemory;
import io.outboard.communicator.region.RingStream;
import io.outboard.communicator.region.SharedFile;
import io.outboard.communicator.region.SharedMemory;
import io.outboard.communicator.region.StreamDoorbells;
import io.outboard.testkit.Amount;
import io.outboard.wire.Region;
import io.outboard.wire.RegionOffer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** The medium of a session's bytes. */
enum Medium {
  UNIX,
  TCP,
  SHM,
  IVSHMEM;

  /** The words of a region's head, which both sides write. */
  static final int[] WORDS = {
    Region.TO_BACKEND + Region.WRITTEN,
    Region.TO_BACKEND + Region.READ,
    Region.TO_CLIENT + Region.WRITTEN,
    Region.TO_CLIENT + Region.READ,
    Region.BACKEND_WAITS,
    Region.CLIENT_WAITS,
    Region.MARK
  };

  private static final long RING = 64 << 10;

  /**
   * How many frames to damage. Fewer in shared memory, where it takes a moment until a client sees
   * that its session has ended.
   */
  int damagedFrames() {
    return sharesMemory() ? Amount.of(200, 40_000) : Amount.of(9_900, 480_000);
  }

  boolean sharesMemory() {
    return this == SHM || this == IVSHMEM;
  }

  StreamPair open() throws IOException {
    return switch (this) {
      case UNIX -> StreamPair.overSockets();
      case TCP -> tcp();
      case SHM -> StreamPair.overRings(RegionOffer.of(RING, 0, 4096));
      case IVSHMEM -> ivshmem();
    };
  }

  private static StreamPair ivshmem() throws IOException {
    RegionOffer offer = RegionOffer.of(RING, 0, 0);
    Path file = guestMemory(offer.placed(0, 1).bytes());
    try {
      int[] pair = new int[2];
      Errno.check(Sockets.socketpair(pair), "socketpair");
      GuestMemory.Part part = new GuestMemory(file, false).take(offer).orElseThrow();
      SharedMemory backend = SharedMemory.place(part, offer, pair[1]);
      int copy = Posix.fcntl(part.descriptor(), Posix.F_DUPFD_CLOEXEC, 0);
      SharedFile mapped = SharedFile.map(copy, part.offset(), backend.offer().bytes());
      StreamDoorbells bells = new StreamDoorbells(pair[0], mapped.address() + Region.CLIENT_WAITS);
      SharedMemory client = new SharedMemory(backend.offer(), mapped, false, bells);
      return new StreamPair(
          RingStream.client(client, pair[0]),
          RingStream.backend(backend, pair[1]),
          client.address());
    } finally {
      Files.delete(file);
    }
  }

  /** A file of so many bytes that stands for a guest's memory. */
  static Path guestMemory(long bytes) throws IOException {
    Path file = Files.createTempFile(Path.of("/dev/shm"), "outboard-test-ivshmem", "");
    try (RandomAccessFile memory = new RandomAccessFile(file.toFile(), "rw")) {
      memory.setLength(bytes);
    }
    return file;
  }

  private static StreamPair tcp() throws IOException {
    Endpoint any = Endpoint.parse("tcp://127.0.0.1:0");
    try (Listener listener = Communicator.of(any).listen(any, Listening.PLAIN)) {
      int client = Communicator.of(any).connect(listener.endpoint());
      return StreamPair.ofSockets(client, listener.accept());
    }
  }
}
