// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.suspend;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Where a driver is to restore each GPU of a process: {@code CUcheckpointGpuPair}, two UUIDs each
 * (CUDA Driver API, "CUcheckpointRestoreArgs"). Every GPU that the process sees must be there, once
 * on each side: a GPU that moves changes places with its target.
 */
final class GpuPairs {
  /** Of a UUID. */
  static final int UUID_BYTES = 16;

  private static final String PREFIX = "GPU-";

  private GpuPairs() {}

  /**
   * The pairs of all GPUs.
   *
   * @param gpus their UUIDs
   * @throws IllegalArgumentException if one is not there that something moves from or to
   */
  static MemorySegment of(Arena arena, List<UUID> gpus, List<DeviceMove> moves) {
    Map<UUID, UUID> places = new HashMap<>();
    for (DeviceMove move : moves) {
      UUID from = among(gpus, move.from());
      UUID to = among(gpus, move.to());
      places.put(from, to);
      places.put(to, from);
    }
    MemorySegment pairs = arena.allocate(2L * UUID_BYTES * gpus.size());
    ByteBuffer bytes = pairs.asByteBuffer();
    for (UUID gpu : gpus) {
      put(bytes, gpu);
      put(bytes, places.getOrDefault(gpu, gpu));
    }
    return pairs;
  }

  private static UUID among(List<UUID> gpus, String text) {
    return gpus.stream()
        .filter(gpu -> text.equals(PREFIX + gpu))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the driver has no " + text));
  }

  private static void put(ByteBuffer bytes, UUID gpu) {
    bytes.putLong(gpu.getMostSignificantBits()).putLong(gpu.getLeastSignificantBits());
  }

  /** A driver's output. */
  static UUID uuid(MemorySegment written) {
    ByteBuffer bytes = written.asByteBuffer();
    return new UUID(bytes.getLong(), bytes.getLong());
  }
}
