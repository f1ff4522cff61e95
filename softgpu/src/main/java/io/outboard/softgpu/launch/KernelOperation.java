// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.launch;

import io.outboard.cuda.CudaResult;
import io.outboard.ptx.PtxKernel;
import io.outboard.ptx.host.PtxException;
import io.outboard.ptx.host.PtxLaunch;
import io.outboard.ptx.host.PtxTrap;
import io.outboard.softgpu.base.DeviceConsole;
import io.outboard.softgpu.base.DoneWork;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.KernelWatch;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;
import io.outboard.softgpu.memory.Allocation;
import io.outboard.softgpu.memory.DeviceMemory;
import io.outboard.softgpu.module.Launchable;

/** Runs a kernel, which compiles it when it is the first time. */
public final class KernelOperation extends Operation {
  private final Launchable launchable;
  private final PtxKernel code;
  private final PtxLaunch launch;
  private final boolean cooperative;

  /**
   * Creates one.
   *
   * @param launchable what the program named
   * @param code what that is in the context
   * @param cooperative whether all blocks have to run at the same time
   */
  KernelOperation(Launchable launchable, PtxKernel code, PtxLaunch launch, boolean cooperative) {
    this.cooperative = cooperative;
    this.launchable = launchable;
    this.code = code;
    this.launch = launch;
  }

  /** The function or kernel that was launched. */
  public Launchable launchable() {
    return launchable;
  }

  /** How it is launched. */
  public PtxLaunch launch() {
    return launch;
  }

  @Override
  public int nodeType() {
    return NodeType.KERNEL;
  }

  @Override
  public DoneWork work() {
    return new DoneWork.Kernel(
        code.name(),
        launch.grid(),
        launch.block(),
        code.sharedBytes(),
        launch.dynamicSharedBytes(),
        launchable.figures().registers(),
        code.localBytes());
  }

  @Override
  public void perform(Context context) {
    try {
      run(context);
    } catch (PtxTrap trap) {
      if (trap.kind() != PtxTrap.Kind.CANCELLED) {
        tell(context, trap);
        context.fail(result(trap.kind()));
      }
    } catch (PtxException wrong) {
      context.machine().console().message("PTX " + wrong.getMessage());
      context.fail(CudaResult.LAUNCH_FAILED);
    }
  }

  /** The time of compiling does not count as the kernel's. */
  private void run(Context context) throws PtxTrap {
    KernelWatch watch = context.machine().kernelWatch();
    if (watch.isLimited()) {
      code.compile();
    }
    try (KernelWatch.Watched _ = watch.watch(context, code.name())) {
      if (cooperative) {
        launchTogether(context);
      } else {
        code.launch(launch);
      }
    }
  }

  /** The blocks wait for each other by a counter in device memory. */
  private void launchTogether(Context context) throws PtxTrap {
    DeviceMemory memory = context.device().memory();
    Allocation workspace = memory.allocate(PtxLaunch.WORKSPACE, null, Allocation.Kind.VARIABLE);
    if (workspace == null) {
      context.fail(CudaResult.LAUNCH_OUT_OF_RESOURCES);
      return;
    }
    try {
      code.launch(launch.cooperative(workspace.address()));
    } finally {
      boolean unused = memory.release(workspace);
    }
  }

  /** Before the context fails, so that the program has the line when it has the error. */
  private static void tell(Context context, PtxTrap trap) {
    DeviceConsole console = context.machine().console();
    if (trap.kind() == PtxTrap.Kind.ASSERT) {
      console.error(trap.getMessage() + "\n");
    } else {
      console.message(trap.getMessage());
    }
  }

  private static int result(PtxTrap.Kind kind) {
    return switch (kind) {
      case ILLEGAL_ADDRESS -> CudaResult.ILLEGAL_ADDRESS;
      case MISALIGNED_ADDRESS -> CudaResult.MISALIGNED_ADDRESS;
      case ASSERT -> CudaResult.ASSERT;
      case STACK -> CudaResult.HARDWARE_STACK_ERROR;
      // 719 and not 715: an H200 reports this for a trap instruction (driver 580).
      case TRAP, CANCELLED -> CudaResult.LAUNCH_FAILED;
    };
  }
}
