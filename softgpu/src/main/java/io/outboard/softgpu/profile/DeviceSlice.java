// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.profile;

import java.util.Arrays;
import java.util.List;

/**
 * A part of a device that looks like a device of its own, as a MIG instance.
 *
 * @param profile its name, by how much it has: {@code 1g.18gb}
 * @param multiprocessors how many it has
 * @param eighths of the device's memory
 */
public record DeviceSlice(String profile, int multiprocessors, int eighths) {
  private static final int MEMORY_SLICES = 8;

  /** Reads some: words of a profile, multiprocessors and eighths, with colons between. */
  static List<DeviceSlice> all(String words) {
    return words.isBlank()
        ? List.of()
        : Arrays.stream(words.strip().split(" ", -1)).map(DeviceSlice::of).toList();
  }

  private static DeviceSlice of(String word) {
    String[] parts = word.split(":", -1);
    return new DeviceSlice(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
  }

  /** Its part of a device's memory. */
  public long memory(long bytes) {
    return bytes / MEMORY_SLICES * eighths;
  }

  /** Its part of the multiprocessors, as the profile's name says. */
  public int computeSlices() {
    return Integer.parseInt(profile.substring(0, profile.indexOf('g')));
  }
}
