// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.management;

import io.outboard.nvml.NvmlResult;
import io.outboard.softgpu.base.Texts;
import io.outboard.softgpu.device.Device;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.profile.DeviceSlice;
import io.outboard.wire.Native;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The common part of the management library's calls: whether it is initialised, and the devices.
 * The value of a device's handle is its ordinal plus one; that of a board which is cut into slices
 * is so much more than that of the first of them that is here.
 */
public final class Management {
  private static final long CUT = 1 << 16;

  private final Machine machine;
  private final AtomicInteger users = new AtomicInteger();

  public Management(Machine machine) {
    this.machine = machine;
  }

  Machine machine() {
    return machine;
  }

  /** One more user; a machine without devices has no driver. */
  int begin() {
    if (machine.deviceCount() == 0) {
      return NvmlResult.DRIVER_NOT_LOADED;
    }
    users.incrementAndGet();
    return NvmlResult.SUCCESS;
  }

  /** One user less. */
  int end() {
    int before = users.getAndUpdate(count -> Math.max(0, count - 1));
    return before == 0 ? NvmlResult.UNINITIALIZED : NvmlResult.SUCCESS;
  }

  /** Whether the library is initialised. */
  int check() {
    return users.get() == 0 ? NvmlResult.UNINITIALIZED : NvmlResult.SUCCESS;
  }

  /** Whether the library is initialised and there is a place for the answer. */
  int check(long output) {
    int result = check();
    return result == NvmlResult.SUCCESS && output == 0 ? NvmlResult.INVALID_ARGUMENT : result;
  }

  /** The same, and whether there is such a device. */
  int check(long output, long device) {
    int result = check(output);
    return result == NvmlResult.SUCCESS && device(device) == null
        ? NvmlResult.INVALID_ARGUMENT
        : result;
  }

  /** The device of a handle's value, or null; of a board that is cut any one that is here. */
  Device device(long value) {
    long own = isCut(value) ? value - CUT : value;
    return own > 0 && own <= machine.deviceCount() ? machine.device((int) own - 1) : null;
  }

  /** Whether a handle's value is that of a board which is cut into slices. */
  static boolean isCut(long value) {
    return value > CUT;
  }

  /** The slice of a handle; none if it is a whole device, or a board. */
  Optional<DeviceSlice> slice(long value) {
    return isCut(value) ? Optional.empty() : device(value).slice();
  }

  /** All devices that are here. */
  Stream<Device> devices() {
    return IntStream.range(0, machine.deviceCount()).mapToObj(machine::device);
  }

  /** The slices of a board that are here. */
  Stream<Device> slices(long board) {
    return devices().filter(one -> one.boardNumber() == device(board).boardNumber());
  }

  /** The values of the boards' handles. */
  List<Long> boards() {
    List<Long> values = new ArrayList<>();
    devices()
        .filter(one -> devices().noneMatch(other -> precedes(other, one)))
        .forEach(one -> values.add(board(one)));
    return values;
  }

  private static boolean precedes(Device earlier, Device later) {
    return earlier.boardNumber() == later.boardNumber() && earlier.ordinal() < later.ordinal();
  }

  /** The value of the handle of a device's board. */
  long board(Device device) {
    Device first =
        devices()
            .filter(one -> one.boardNumber() == device.boardNumber())
            .findFirst()
            .orElseThrow();
    return value(first) + (device.slice().isPresent() ? CUT : 0);
  }

  /** The value of a device's handle. */
  static long value(Device device) {
    return device.ordinal() + 1L;
  }

  /** Answers with a figure of a device. */
  int answer(long output, long device, int figure) {
    int result = check(output, device);
    if (result == NvmlResult.SUCCESS) {
      Native.putInt(output, figure);
    }
    return result;
  }

  /** Answers with a text, which must fit. */
  static int text(long output, int room, String text) {
    if (text.length() >= room) {
      return NvmlResult.INSUFFICIENT_SIZE;
    }
    Texts.write(output, room, text);
    return NvmlResult.SUCCESS;
  }
}
