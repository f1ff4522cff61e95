// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.management;

import io.outboard.nvml.NvmlDriverTopics;
import io.outboard.nvml.NvmlPower;
import io.outboard.nvml.NvmlResult;
import io.outboard.softgpu.base.Failures;

/**
 * The management library of software GPUs. They have no sensors, links or modes: questions about
 * these get {@link NvmlResult#NOT_SUPPORTED}, as on a GPU that lacks them.
 */
public final class SoftNvml extends NvmlDriverTopics {
  public SoftNvml(Management management, int process) {
    super(
        new ManagedActivity(management, process),
        new ManagedDevices(management),
        new ManagedEvents(management),
        new ManagedLinks(management),
        new ManagedMemory(management),
        new ManagedModes(management),
        new NvmlPower() {},
        new ManagedSystem(management));
  }

  @Override
  protected int thrown(Throwable failure) {
    Failures.unexpected(failure);
    return failure instanceof OutOfMemoryError ? NvmlResult.MEMORY : NvmlResult.UNKNOWN;
  }
}
