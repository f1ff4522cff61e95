// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.softgpu.memory.Pool;
import io.outboard.softgpu.profile.DeviceAttribute;
import io.outboard.softgpu.profile.DeviceProfile;
import io.outboard.softgpu.profile.DeviceSlice;
import io.outboard.softgpu.profile.HostIdentity;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One software device. */
public final class Device {
  private static final Pattern ADDRESS =
      Pattern.compile(
          "((?<domain>\\p{XDigit}{1,7}|0\\p{XDigit}{7}):)?(?<bus>\\p{XDigit}{1,2}):"
              + "(?<device>\\p{XDigit}{1,2})(\\.(?<function>\\p{XDigit}))?");

  private final Machine machine;
  private final int ordinal;
  private final int number;
  private final DeviceProfile board;
  private final DeviceProfile profile;
  private final DeviceMemory memory;
  private final PrimaryContext primary;
  private final Pool defaultPool;
  private volatile Pool pool;

  /**
   * {@code number} tells it from the other devices of this host, its ordinal from those here; of a
   * board that is cut it is one of the slices, the first ones being those of the first board.
   */
  Device(Machine machine, int ordinal, int number, DeviceProfile board, long boardBytes) {
    this.machine = machine;
    this.ordinal = ordinal;
    this.number = number;
    this.board = board;
    this.profile = slice().map(board::cut).orElse(board);
    this.memory =
        new DeviceMemory(
            ordinal,
            machine.addresses(),
            slice().map(one -> one.memory(boardBytes)).orElse(boardBytes),
            machine.backing());
    this.defaultPool = new Pool(memory, Long.MAX_VALUE, 0);
    this.pool = defaultPool;
    this.primary = new PrimaryContext(machine, this);
  }

  public int ordinal() {
    return ordinal;
  }

  public DeviceProfile profile() {
    return profile;
  }

  /** The profile of the board that it is on. */
  public DeviceProfile board() {
    return board;
  }

  /** The number of that board among those of this host. */
  public int boardNumber() {
    return number / board.parts();
  }

  /** Which of its board's slices it is. */
  public int sliceNumber() {
    return number % board.parts();
  }

  /** The part that it has of its board; none if it is the whole. */
  public Optional<DeviceSlice> slice() {
    return board.slices().isEmpty()
        ? Optional.empty()
        : Optional.of(board.slices().get(sliceNumber()));
  }

  public DeviceMemory memory() {
    return memory;
  }

  public PrimaryContext primary() {
    return primary;
  }

  /** The pool that it has from the start. */
  public Pool defaultPool() {
    return defaultPool;
  }

  /** The current pool. */
  public Pool pool() {
    return pool;
  }

  public void pool(Pool current) {
    pool = current;
  }

  /** A pool has ended: if it was the current one, the default one is. */
  public void forget(Pool ended) {
    pool = pool == ended ? defaultPool : pool;
  }

  /** The figure of an attribute that the profile knows. */
  public int attribute(int attribute) {
    return switch (attribute) {
      case DeviceAttribute.MANAGED_MEMORY,
          DeviceAttribute.CONCURRENT_MANAGED_ACCESS,
          DeviceAttribute.DIRECT_MANAGED_MEM_ACCESS_FROM_HOST,
          DeviceAttribute.CAN_MAP_HOST_MEMORY,
          DeviceAttribute.READ_ONLY_HOST_REGISTER_SUPPORTED,
          DeviceAttribute.CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM ->
          1;
      case DeviceAttribute.KERNEL_EXEC_TIMEOUT -> machine.kernelWatch().isLimited() ? 1 : 0;
      case DeviceAttribute.PCI_BUS_ID -> bus();
      case DeviceAttribute.MULTI_GPU_BOARD_GROUP_ID -> boardNumber();
      default -> profile.attribute(attribute);
    };
  }

  /** The number of its bus. */
  public int bus() {
    return boardNumber() + 1;
  }

  /** The PCI address as the vendor writes it: domain, bus and device in hexadecimal digits. */
  public String pciAddress() {
    String bus = Integer.toHexString(bus());
    return "0000:" + (bus.length() < 2 ? "0" : "") + bus + ":00.0";
  }

  /** Whether a text is a PCI address of some device. */
  public static boolean isAddress(String text) {
    return ADDRESS.matcher(text).matches();
  }

  /** Whether a text is its PCI address: {@code [domain:]bus:device[.function]}, in hexadecimal. */
  public boolean isAt(String address) {
    Matcher parts = ADDRESS.matcher(address);
    return parts.matches()
        && isHex(parts.group("domain"), 0)
        && isHex(parts.group("bus"), bus())
        && isHex(parts.group("device"), 0)
        && isHex(parts.group("function"), 0);
  }

  /** A part that is left out is 0. */
  private static boolean isHex(String digits, int value) {
    return digits == null ? value == 0 : Integer.parseInt(digits, 16) == value;
  }

  /**
   * The same on every start on this host, different for every device, host and slot of addresses: a
   * program may have a host's devices by two backends.
   */
  public UUID uuid() {
    return slice().isEmpty() ? boardUuid() : identity("slice " + number);
  }

  /** That of its board. */
  public UUID boardUuid() {
    return identity(Integer.toString(boardNumber()));
  }

  private UUID identity(String what) {
    int slot = machine.addresses().slot();
    String where = slot == 0 ? "" : "slot " + slot + " ";
    String seed = "outboard software gpu " + HostIdentity.read() + " " + where + what;
    return UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8));
  }
}
