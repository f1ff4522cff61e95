// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.health;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.outboard.backend.devices.VendorManagement;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.backend.system.Pause;
import io.outboard.backend.system.ProcessHardening;
import io.outboard.backend.system.StderrGuard;
import io.outboard.nvml.NvmlDriver;
import io.outboard.nvml.NvmlResult;
import io.outboard.nvml.vendor.VendorNvml;
import io.outboard.wire.Native;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The main class of a process that looks after real GPUs, by the vendor's management library: not
 * the daemon's work, as a library that waits for a lost device may wait for ever. It writes a line
 * for each that fails, {@code failed UUID WHY}, one for an error of a program's, {@code program
 * UUID WHY}, and every few seconds what each measures of itself, {@code energy UUID MILLIJOULES}
 * and {@code busy UUID NANOSECONDS}, and its present state, {@code state UUID} and {@link
 * StateLine}. It ends at once, in good order, where it can be of no use.
 *
 * <p>A device has failed when the driver tells an {@link Xid} that says so, or when it is lost for
 * the library.
 */
public final class HealthHelper {
  /** The first word of a line that tells of energy. */
  static final String ENERGY = "energy";

  /** The first word of a line that tells for how long a device has worked. */
  static final String BUSY = "busy";

  /** The first word of a line that tells the present state. */
  static final String STATE = "state";

  /** The first word of a line that tells of an error that is not the device's. */
  static final String PROGRAM = "program";

  private static final String FAILED = "failed";
  private static final int LOOK_MS = 5_000;
  private static final int UUID_BYTES = 96;

  /** Any of what is asked for fits. */
  private static final int SCRATCH = BusyTime.SCRATCH;

  /** {@code nvmlEventTypeXidCriticalError}. */
  private static final long XID = 8;

  private final NvmlDriver driver;
  private final PrintStream out;
  private final long scratch;
  // The devices' UUIDs by their handles; those that have failed are out of it.
  private final Map<Long, String> devices = new LinkedHashMap<>();
  private final Map<Long, BusyTime> busy = new HashMap<>();

  private HealthHelper(NvmlDriver driver, PrintStream out, long scratch) {
    this.driver = driver;
    this.out = out;
    this.scratch = scratch;
  }

  /** Runs it; without arguments. */
  public static void main(String[] arguments) {
    StderrGuard.install();
    ProcessHardening.confine();
    try (NativeBuffer buffer = new NativeBuffer(SCRATCH)) {
      NvmlDriver driver = VendorNvml.load(VendorManagement.LIBRARY, 0);
      if (driver.nvmlInit_v2() == NvmlResult.SUCCESS) {
        PrintStream out = new PrintStream(System.out, true, US_ASCII);
        new HealthHelper(driver, out, buffer.address()).watch();
      }
    } catch (IllegalArgumentException e) {
      Log.debug(e.getMessage());
    }
    // Not exit: nothing of the driver's is to be waited for.
    Runtime.getRuntime().halt(0);
  }

  private void watch() {
    find();
    long events = events();
    while (!devices.isEmpty()) {
      askAll();
      if (!await(events)) {
        Pause.ms(LOOK_MS);
      }
    }
  }

  private void find() {
    int count =
        driver.nvmlDeviceGetCount_v2(scratch) == NvmlResult.SUCCESS ? Native.getInt(scratch) : 0;
    for (int index = 0; index < count; index++) {
      if (driver.nvmlDeviceGetHandleByIndex_v2(index, scratch) == NvmlResult.SUCCESS) {
        long device = Native.getLong(scratch);
        if (driver.nvmlDeviceGetUUID(device, scratch, UUID_BYTES) == NvmlResult.SUCCESS) {
          devices.put(device, Native.MEMORY.getString(scratch));
        }
      }
    }
  }

  /** A set of the devices' events, 0 where there are none: then it is only asked. */
  private long events() {
    if (driver.nvmlEventSetCreate(scratch) != NvmlResult.SUCCESS) {
      return 0;
    }
    long set = Native.getLong(scratch);
    boolean some = false;
    for (long device : devices.keySet()) {
      some |= driver.nvmlDeviceRegisterEvents(device, XID, set) == NvmlResult.SUCCESS;
    }
    return some ? set : 0;
  }

  /** Waits for an event; false at once where that is not possible. */
  private boolean await(long events) {
    int result =
        events == 0
            ? NvmlResult.NOT_SUPPORTED
            : driver.nvmlEventSetWait_v2(events, scratch, LOOK_MS);
    if (result == NvmlResult.SUCCESS) {
      // nvmlEventData_t.
      long device = Native.getLong(scratch);
      long type = Native.getLong(scratch + Long.BYTES);
      long number = Native.getLong(scratch + 2L * Long.BYTES);
      if (type == XID) {
        Xid.failure(number)
            .ifPresentOrElse(why -> failed(device, why), () -> erred(device, "Xid " + number));
      }
    }
    return result == NvmlResult.SUCCESS || result == NvmlResult.TIMEOUT;
  }

  private void askAll() {
    for (long device : devices.keySet().toArray(Long[]::new)) {
      if (driver.nvmlDeviceGetMemoryInfo(device, scratch) == NvmlResult.GPU_IS_LOST) {
        failed(device, "it is lost");
      } else {
        tellEnergy(device);
        tellBusy(device);
        tellState(device);
      }
    }
  }

  private void tellEnergy(long device) {
    if (driver.nvmlDeviceGetTotalEnergyConsumption(device, scratch) == NvmlResult.SUCCESS) {
      tell(ENERGY, devices.get(device), Long.toUnsignedString(Native.getLong(scratch)));
    }
  }

  private void tellBusy(long device) {
    BusyTime time = busy.computeIfAbsent(device, one -> new BusyTime(driver, one));
    if (time.read(scratch)) {
      tell(BUSY, devices.get(device), Long.toString(time.nanoseconds()));
    }
  }

  private void tellState(long device) {
    Map<DeviceFigure, Long> figures = new DeviceState(driver).of(device, scratch);
    if (!figures.isEmpty()) {
      tell(STATE, devices.get(device), StateLine.of(figures));
    }
  }

  private void failed(long device, String why) {
    String uuid = devices.remove(device);
    if (uuid != null) {
      tell(FAILED, uuid, why);
    }
  }

  private void erred(long device, String what) {
    String uuid = devices.get(device);
    if (uuid != null) {
      tell(PROGRAM, uuid, what);
    }
  }

  private void tell(String what, String uuid, String how) {
    out.println(String.join(" ", what, uuid, how));
  }
}
