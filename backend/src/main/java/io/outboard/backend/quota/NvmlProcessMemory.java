// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.struct.ProcessV2;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The memory of this process, as the vendor's management library tells it ({@code
 * nvmlDeviceGetComputeRunningProcesses}, of MPS's clients {@code …MPSComputeRunningProcesses}). It
 * tells nothing in a container that has process ids of its own, on a host whose driver keeps no
 * such figure ({@code NVML_VALUE_NOT_AVAILABLE}), and before the process has a context on the
 * device.
 */
public final class NvmlProcessMemory implements ProcessMemory {
  private static final int OWN = (int) ProcessHandle.current().pid();

  /** More processes than have one device at a time. */
  private static final int MOST_PROCESSES = 4096;

  private static final int USED = 8;
  private static final long NOT_AVAILABLE = -1;

  private final Supplier<NvmlDriver> opening;
  private final List<String> uuids;
  // Guarded by this object's monitor.
  private NvmlDriver management;
  private boolean opened;

  private interface Question {
    int ask(long device, long count, long processes);
  }

  /**
   * Asks a library, which is opened when it is first needed.
   *
   * @param opening opens it; null where there is none
   * @param uuids the devices' names, in the session's order
   */
  public NvmlProcessMemory(Supplier<NvmlDriver> opening, List<String> uuids) {
    this.opening = opening;
    this.uuids = List.copyOf(uuids);
  }

  private synchronized NvmlDriver management() {
    if (!opened) {
      management = opening.get();
      opened = true;
    }
    return management;
  }

  @Override
  public OptionalLong bytes(int gpu) {
    NvmlDriver asked = management();
    return asked == null || gpu < 0 || gpu >= uuids.size()
        ? OptionalLong.empty()
        : bytes(asked, uuids.get(gpu));
  }

  private static OptionalLong bytes(NvmlDriver management, String name) {
    try (Arena arena = Arena.ofConfined();
        NativeBuffer buffer =
            new NativeBuffer(Long.BYTES + (long) MOST_PROCESSES * ProcessV2.BYTES)) {
      long uuid = arena.allocateFrom(name).address();
      if (management.nvmlDeviceGetHandleByUUID(uuid, buffer.address()) != NvmlResult.SUCCESS) {
        return OptionalLong.empty();
      }
      long device = Native.getLong(buffer.address());
      OptionalLong alone = own(buffer, device, management::nvmlDeviceGetComputeRunningProcesses_v3);
      return alone.isPresent()
          ? alone
          : own(buffer, device, management::nvmlDeviceGetMPSComputeRunningProcesses_v3);
    }
  }

  private static OptionalLong own(NativeBuffer buffer, long device, Question question) {
    long count = buffer.address();
    long processes = count + Long.BYTES;
    Native.putInt(count, MOST_PROCESSES);
    if (question.ask(device, count, processes) != NvmlResult.SUCCESS) {
      return OptionalLong.empty();
    }
    for (int i = 0; i < Math.min(Native.getInt(count), MOST_PROCESSES); i++) {
      long process = processes + (long) i * ProcessV2.BYTES;
      long used = Native.getLong(process + USED);
      if (Native.getInt(process) == OWN && used != NOT_AVAILABLE) {
        return OptionalLong.of(used);
      }
    }
    return OptionalLong.empty();
  }
}
