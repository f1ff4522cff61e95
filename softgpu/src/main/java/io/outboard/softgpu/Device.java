// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** One software device. */
final class Device {
  private final Machine machine;
  private final int ordinal;
  private final DeviceProfile profile;
  private final DeviceMemory memory;
  private final PrimaryContext primary;
  private final Pool defaultPool = new Pool(this, Long.MAX_VALUE);
  private volatile Pool pool = defaultPool;

  Device(Machine machine, int ordinal, DeviceProfile profile, long memoryBytes) {
    this.machine = machine;
    this.ordinal = ordinal;
    this.profile = profile;
    this.memory = new DeviceMemory(ordinal, memoryBytes);
    this.primary = new PrimaryContext(machine, this);
  }

  int ordinal() {
    return ordinal;
  }

  DeviceProfile profile() {
    return profile;
  }

  DeviceMemory memory() {
    return memory;
  }

  PrimaryContext primary() {
    return primary;
  }

  /** The pool that it has from the start. */
  Pool defaultPool() {
    return defaultPool;
  }

  /** The current pool. */
  Pool pool() {
    return pool;
  }

  void pool(Pool current) {
    pool = current;
  }

  /** A pool has ended: if it was the current one, the default one is. */
  void forget(Pool ended) {
    pool = pool == ended ? defaultPool : pool;
  }

  /**
   * The figure of an attribute that the profile knows. Kernels reach addresses of their own device
   * only, so that several devices have no managed memory.
   */
  int attribute(int attribute) {
    return switch (attribute) {
      case DeviceAttribute.MANAGED_MEMORY,
          DeviceAttribute.CONCURRENT_MANAGED_ACCESS,
          DeviceAttribute.CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM ->
          machine.deviceCount() == 1 ? 1 : 0;
      case DeviceAttribute.PCI_BUS_ID -> ordinal + 1;
      case DeviceAttribute.MULTI_GPU_BOARD_GROUP_ID -> ordinal;
      default -> profile.attribute(attribute);
    };
  }

  /** The PCI address as the vendor writes it: domain, bus and device in hexadecimal digits. */
  String pciAddress() {
    String bus = Integer.toHexString(ordinal + 1);
    return "0000:" + (bus.length() < 2 ? "0" : "") + bus + ":00.0";
  }

  /** The same on every start on this host, different for every device and host. */
  UUID uuid() {
    String seed = "outboard software gpu " + HostIdentity.read() + " " + ordinal;
    return UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8));
  }
}
