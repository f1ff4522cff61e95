// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.management;

import io.outboard.nvml.NvmlEvents;
import io.outboard.nvml.NvmlResult;
import io.outboard.wire.Native;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Sets of events, which never come. */
final class ManagedEvents implements NvmlEvents {
  private final Management management;
  private final AtomicLong latest = new AtomicLong();

  ManagedEvents(Management management) {
    this.management = management;
  }

  @Override
  public int nvmlEventSetCreate(long set) {
    int result = management.check(set);
    if (result == NvmlResult.SUCCESS) {
      Native.putLong(set, latest.incrementAndGet());
    }
    return result;
  }

  @Override
  public int nvmlDeviceGetSupportedEventTypes(long device, long types) {
    int result = management.check(types, device);
    if (result == NvmlResult.SUCCESS) {
      Native.putLong(types, 0);
    }
    return result;
  }

  @Override
  public int nvmlEventSetWait_v2(long set, long event, int timeout) {
    int result = management.check(event);
    if (result != NvmlResult.SUCCESS) {
      return result;
    }
    try {
      TimeUnit.MILLISECONDS.sleep(Integer.toUnsignedLong(timeout));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return NvmlResult.TIMEOUT;
  }

  @Override
  public int nvmlEventSetFree(long set) {
    return set == 0 ? NvmlResult.INVALID_ARGUMENT : management.check();
  }
}
