// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

import io.outboard.wire.Slot;

/**
 * Where the addresses of the devices lie, at equal distances.
 *
 * @param slot the number of the slot that they are confined to, else 0
 * @param first that of the first device
 * @param stride the distance between the first addresses of two devices
 */
public record DeviceAddresses(int slot, long first, long stride) {
  /** The usual distance. */
  public static final long STRIDE = 1L << 40;

  /** Those of devices that have all addresses to themselves. */
  public static final DeviceAddresses USUAL = new DeviceAddresses(0, Slot.BASE, STRIDE);

  /**
   * Those of so many devices in a slot.
   *
   * @throws IllegalArgumentException if the memory of each does not fit, with room to reserve
   */
  public static DeviceAddresses in(Slot slot, int devices, long bytes) {
    long stride = Math.min(STRIDE, Long.highestOneBit(Slot.BYTES / Math.max(1, devices)));
    if (Reservations.rounded(bytes) >= stride) {
      throw new IllegalArgumentException(
          "%d devices of %d MiB have no room in a slot of addresses"
              .formatted(devices, bytes >> 20));
    }
    return new DeviceAddresses(slot.number(), slot.upper(), stride);
  }

  long base(int ordinal) {
    return first + ordinal * stride;
  }

  /** The addresses of a device with so much memory that lie behind that. */
  long left(long bytes) {
    return stride - Reservations.rounded(bytes);
  }

  /** The device whose address it would be, negative below them. */
  public long ordinal(long address) {
    return Math.floorDiv(address - first, stride);
  }
}
