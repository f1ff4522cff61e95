// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.backend.system.Log;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.region.RingStream;
import io.outboard.communicator.region.SharedMemory;
import io.outboard.wire.Region;
import io.outboard.wire.RegionOffer;
import java.io.IOException;
import java.util.Optional;

/** Memory that a session is to share with its client, until the client has said whether it does. */
public final class Sharing implements AutoCloseable {
  /** The memory of each session. */
  public static final RegionOffer USUAL = RegionOffer.of(1 << 20, 0, 0);

  /**
   * Where nothing is short: rings for more threads and for functions, whose pages come with their
   * use.
   */
  private static final RegionOffer OF_THREADS =
      RegionOffer.withSlots(1 << 20, Region.FUNCTIONS_SLOT + 1, 256 << 10);

  private final int client;
  // None where it is not wanted, not possible, or given to the connection.
  private SharedMemory memory;

  private Sharing(int client, SharedMemory memory) {
    this.client = client;
    this.memory = memory;
  }

  /** Makes the memory where the client wants it; where that is not possible, there is none. */
  static Sharing wanted(HandOver handOver) {
    return new Sharing(handOver.client(), handOver.hello().wantsRegion() ? make(handOver) : null);
  }

  private static SharedMemory make(HandOver handOver) {
    try {
      if (handOver.part().isPresent()) {
        return SharedMemory.place(handOver.part().get(), USUAL, handOver.client());
      }
      Optional<Communicator> own =
          handOver.regions().isEmpty()
              ? Optional.empty()
              : Communicator.ofScheme(handOver.regions());
      return own.isPresent()
          ? own.get().region(handOver.client(), USUAL)
          : SharedMemory.create(OF_THREADS);
    } catch (IOException e) {
      Log.debug("no shared memory: " + e.getMessage());
      return null;
    }
  }

  /** Whether the Welcome is to announce it. */
  boolean offered() {
    return memory != null;
  }

  /** Whether a session may come back from it to a stream: the memory is a hypervisor's. */
  boolean canBeLeft() {
    return memory != null && memory.offer().isPlaced();
  }

  /** Offers it to the client that has been welcomed; the rings in it, where it is taken. */
  Optional<RingStream> agree() throws IOException {
    if (memory == null || !GreetingServer.share(client, memory, GreetingServer.TIMEOUT_MS)) {
      return Optional.empty();
    }
    RingStream rings = RingStream.backend(memory, client);
    memory = null;
    return Optional.of(rings);
  }

  @Override
  public void close() {
    if (memory != null) {
      memory.close();
    }
  }
}
