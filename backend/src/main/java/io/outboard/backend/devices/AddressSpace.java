// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.backend.library.DeviceException;
import io.outboard.communicator.posix.Memory;
import io.outboard.wire.Slot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Blocks address space of this process before the vendor's driver is initialised. The driver then
 * finds room for what it maps in the worker's slot. Blocking takes no memory.
 *
 * <p>A driver maps most things at the lowest free address of the kernel's legacy layout, from the
 * base of the slots on. It looks for its pools and for reservations without a hint from {@link
 * #POOLS} on; for its own heap it needs what is below, and some room at {@link #HEAP}. This was
 * measured with driver 580; another one may do otherwise, so {@link SlotCheck} looks afterwards.
 */
final class AddressSpace {
  /** Where the driver begins to look for room for pools. */
  static final long POOLS = 0x3_0200_0000L;

  /** Where it maps something of its own, whatever is blocked. */
  static final long HEAP = 1L << 40;

  private static final long HEAP_BYTES = 64L << 20;

  /** A stretch of addresses. */
  record Range(long begin, long end) {}

  private AddressSpace() {}

  /** Returns the ranges to block for a slot. */
  static List<Range> blocked(Slot slot) {
    List<Range> ranges = new ArrayList<>();
    ranges.add(new Range(POOLS, HEAP));
    ranges.add(new Range(HEAP + HEAP_BYTES, slot.lower()));
    ranges.add(new Range(Slot.BASE, slot.upper()));
    ranges.removeIf(range -> range.begin >= range.end);
    return ranges;
  }

  /**
   * Leaves a driver nothing but the slot.
   *
   * @throws DeviceException if that is not possible
   */
  static void confine(Slot slot) throws DeviceException {
    try {
      for (Range range : blocked(slot)) {
        for (Range gap : gaps(Files.readAllLines(Path.of("/proc/self/maps")), range)) {
          block(gap);
        }
      }
    } catch (IOException e) {
      throw new DeviceException("the worker's address space cannot be confined: " + e.getMessage());
    }
  }

  private static void block(Range gap) throws DeviceException {
    int flags = Memory.MAP_PRIVATE | Memory.MAP_ANONYMOUS | Memory.MAP_NORESERVE;
    long bytes = gap.end - gap.begin;
    if (!Memory.mapAt(gap.begin, bytes, Memory.PROT_NONE, flags, -1, 0)) {
      throw new DeviceException(
          "the worker's address space cannot be confined: %d bytes at 0x%x are not to be had"
              .formatted(bytes, gap.begin));
    }
  }

  /** The parts of a range that lines of {@code /proc/PID/maps}, which are in order, leave free. */
  static List<Range> gaps(List<String> maps, Range range) {
    List<Range> gaps = new ArrayList<>();
    long at = range.begin;
    for (String line : maps) {
      Range mapped = mapped(line);
      if (mapped.end > at && Long.compareUnsigned(mapped.begin, range.end) < 0) {
        add(gaps, at, mapped.begin);
        at = mapped.end;
      }
    }
    add(gaps, at, range.end);
    return gaps;
  }

  private static void add(List<Range> gaps, long begin, long end) {
    if (begin < end) {
      gaps.add(new Range(begin, end));
    }
  }

  private static Range mapped(String line) {
    int dash = line.indexOf('-');
    return new Range(
        Long.parseUnsignedLong(line, 0, dash, 16),
        Long.parseUnsignedLong(line, dash + 1, line.indexOf(' '), 16));
  }
}
