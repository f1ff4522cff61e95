// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.nvml.NvmlResult;
import io.outboard.wire.Native;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the calls of the management library share: whether it is initialised, and the devices. The
 * value of a device's handle is its ordinal plus one.
 */
final class Management {
  private final Machine machine;
  private final AtomicInteger users = new AtomicInteger();

  Management(Machine machine) {
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

  /** The device of a handle's value, or null. */
  Device device(long value) {
    return value > 0 && value <= machine.deviceCount() ? machine.device((int) value - 1) : null;
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
