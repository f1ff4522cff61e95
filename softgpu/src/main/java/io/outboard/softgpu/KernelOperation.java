// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.cuda.CudaResult;
import io.outboard.ptx.PtxKernel;
import io.outboard.ptx.PtxLaunch;
import io.outboard.ptx.PtxTrap;

/** Runs a kernel. */
final class KernelOperation extends Operation {
  private final PtxKernel code;
  private final PtxLaunch launch;

  KernelOperation(PtxKernel code, PtxLaunch launch) {
    this.code = code;
    this.launch = launch;
  }

  @Override
  void perform(Context context) {
    try {
      code.launch(launch);
    } catch (PtxTrap trap) {
      if (trap.kind() != PtxTrap.Kind.CANCELLED) {
        context.fail(result(trap.kind()));
        context.machine().console().message(trap.getMessage());
      }
    }
  }

  private static int result(PtxTrap.Kind kind) {
    return switch (kind) {
      case ILLEGAL_ADDRESS -> CudaResult.ILLEGAL_ADDRESS;
      case MISALIGNED_ADDRESS -> CudaResult.MISALIGNED_ADDRESS;
      case ILLEGAL_INSTRUCTION -> CudaResult.ILLEGAL_INSTRUCTION;
      case ASSERT -> CudaResult.ASSERT;
      case STACK -> CudaResult.HARDWARE_STACK_ERROR;
      case CANCELLED -> CudaResult.LAUNCH_FAILED;
    };
  }
}
