// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.backend.library.HeldDevices;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.quota.MemoryCredit;
import io.outboard.backend.quota.SessionCredit;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaKinds;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Handles;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * A session's state on real GPUs. Its driver is told from outside to put it aside; here is found
 * out what there is.
 */
public final class DriverDevices implements HeldDevices {
  private static final long LOOK_MS = 100;

  private final SessionContext context;
  private final CudaDriver driver;
  private final BooleanSupplier captures;
  // The thread that waits for the work of some moment; null where there was none left.
  private final AtomicReference<Thread> waiting = new AtomicReference<>();

  /** {@code captures} says whether a stream may be captured just now. */
  public DriverDevices(SessionContext context, CudaDriver driver, BooleanSupplier captures) {
    this.context = context;
    this.driver = driver;
    this.captures = captures;
  }

  @Override
  public boolean isDrivers() {
    return true;
  }

  private List<Long> contexts() {
    List<Long> contexts = new ArrayList<>();
    for (int index = 1; index < Limits.LANES; index++) {
      long value =
          context.handleAt(CudaKinds.CONTEXT, index) == 0
              ? Handles.INVALID
              : context.valueAt(CudaKinds.CONTEXT, index);
      if (value != Handles.INVALID) {
        contexts.add(value);
      }
    }
    return contexts;
  }

  /**
   * A thread waits for all work of each context; while it waits there is some. Not during a
   * capture, which such a wait would end.
   */
  @Override
  public boolean isWorking() {
    if (captures.getAsBoolean()) {
      return true;
    }
    Thread earlier = waiting.get();
    if (earlier == null || !earlier.isAlive()) {
      earlier = Thread.ofPlatform().name("work").daemon(true).start(this::awaitWork);
      waiting.set(earlier);
    }
    try {
      earlier.join(LOOK_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return earlier.isAlive();
  }

  private void awaitWork() {
    for (long value : contexts()) {
      if (driver.cuCtxSetCurrent(value) == CudaResult.SUCCESS) {
        int unused = driver.cuCtxSynchronize();
      }
    }
    int unused = driver.cuCtxSetCurrent(0);
  }

  /**
   * Returns the bytes that the lease counts, where it has a limit. Else all that is in use of the
   * devices: nobody tells which part of it is this process's, in every container.
   */
  @Override
  public long bytes() {
    return SessionCredit.of(context)
        .map(credit -> counted(credit, context.allotment().gpus().size()))
        .orElseGet(this::inUse);
  }

  private static long counted(MemoryCredit credit, int gpus) {
    long bytes = 0;
    for (int gpu = 0; gpu < gpus; gpu++) {
      bytes += credit.used(gpu);
    }
    return bytes;
  }

  private long inUse() {
    long bytes = 0;
    Set<Integer> seen = new HashSet<>();
    try (NativeBuffer buffer = new NativeBuffer(2L * Long.BYTES)) {
      for (long value : contexts()) {
        bytes += inUse(value, seen, buffer.address());
      }
    }
    int unused = driver.cuCtxSetCurrent(0);
    return bytes;
  }

  /**
   * Of the device of a context, if it is not one of those that have been seen. The device is that
   * of the context's first stream, as who works for a client is not asked for contexts' devices; a
   * driver that does not tell it has the device counted again, which is more than there is.
   */
  private long inUse(long value, Set<Integer> seen, long scratch) {
    boolean known =
        driver.cuCtxSetCurrent(value) != CudaResult.SUCCESS
            || (driver.cuStreamGetDevice(0, scratch) == CudaResult.SUCCESS
                && !seen.add(Native.getInt(scratch)));
    if (known || driver.cuMemGetInfo_v2(scratch, scratch + Long.BYTES) != CudaResult.SUCCESS) {
      return 0;
    }
    return Native.getLong(scratch + Long.BYTES) - Native.getLong(scratch);
  }
}
