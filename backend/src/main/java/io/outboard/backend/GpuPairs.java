// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

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
 * on each side: what moves changes places with what it moves to.
 */
final class GpuPairs {
  /** Of a UUID. */
  static final int UUID_BYTES = 16;

  private static final String PREFIX = "GPU-";

  private GpuPairs() {}

  /**
   * The pairs of all GPUs.
   *
   * @param gpus their UUIDs, of {@link #UUID_BYTES} each
   * @throws IllegalArgumentException if one is not there that something moves from or to
   */
  static MemorySegment of(Arena arena, List<byte[]> gpus, List<DeviceMove> moves) {
    Map<String, byte[]> byText = new HashMap<>();
    gpus.forEach(gpu -> byText.put(text(gpu), gpu));
    Map<String, String> places = new HashMap<>();
    for (DeviceMove move : moves) {
      require(byText, move.from());
      require(byText, move.to());
      places.put(move.from(), move.to());
      places.put(move.to(), move.from());
    }
    MemorySegment pairs = arena.allocate(2L * UUID_BYTES * gpus.size());
    long at = 0;
    for (byte[] gpu : gpus) {
      String own = text(gpu);
      MemorySegment.copy(gpu, 0, pairs, JAVA_BYTE, at, UUID_BYTES);
      byte[] to = byText.get(places.getOrDefault(own, own));
      MemorySegment.copy(to, 0, pairs, JAVA_BYTE, at + UUID_BYTES, UUID_BYTES);
      at += 2 * UUID_BYTES;
    }
    return pairs;
  }

  private static void require(Map<String, byte[]> gpus, String uuid) {
    if (!gpus.containsKey(uuid)) {
      throw new IllegalArgumentException("the driver has no " + uuid);
    }
  }

  /** A UUID as the vendor writes it. */
  static String text(byte[] uuid) {
    ByteBuffer bytes = ByteBuffer.wrap(uuid);
    return PREFIX + new UUID(bytes.getLong(), bytes.getLong());
  }
}
