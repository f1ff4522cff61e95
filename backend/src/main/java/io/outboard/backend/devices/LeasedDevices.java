// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.backend.library.SessionContext;
import io.outboard.backend.quota.DriverQuota;
import io.outboard.backend.quota.MemoryCredit;
import io.outboard.backend.quota.MemoryQuota;
import io.outboard.backend.quota.SessionCredit;
import io.outboard.backend.slices.ComputeShare;
import io.outboard.cuda.CudaDriver;
import io.outboard.nvml.NvmlDriver;

/**
 * Keeps this host's devices to what a session's lease has of them. It stands next to their drivers:
 * another host keeps its own devices to the lease, and this one counts nothing of them.
 */
public final class LeasedDevices {
  private LeasedDevices() {}

  /** The driver of CUDA within the lease; itself where the session has no limit. */
  public static CudaDriver of(CudaDevices.Opened opened, SessionContext context) {
    return SessionCredit.of(context)
        .<CudaDriver>map(credit -> limited(opened, context, credit))
        .orElse(opened.driver());
  }

  private static CudaDriver limited(
      CudaDevices.Opened opened, SessionContext context, MemoryCredit credit) {
    MemoryQuota named = new MemoryQuota(sliced(opened.driver(), context, credit), credit);
    return new DriverQuota(named, credit, opened.memory(), context::message);
  }

  /** Where nobody else has the devices, nothing stands before them. */
  private static CudaDriver sliced(CudaDriver driver, SessionContext context, MemoryCredit credit) {
    return context.allotment().isShared() ? ComputeShare.of(driver, context, credit) : driver;
  }

  /** The management library, which tells of memory as the lease has it. */
  static NvmlDriver of(NvmlDriver devices, SessionContext context) {
    return SessionCredit.of(context)
        .<NvmlDriver>map(credit -> new QuotaManagement(devices, credit))
        .orElse(devices);
  }
}
