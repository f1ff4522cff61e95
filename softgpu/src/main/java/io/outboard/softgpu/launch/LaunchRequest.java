// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.launch;

import io.outboard.cuda.CudaResult;
import io.outboard.ptx.host.PtxLaunch;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.module.Launchable;
import io.outboard.softgpu.module.LoadedFunction;
import io.outboard.softgpu.profile.DeviceAttribute;
import io.outboard.softgpu.profile.DeviceProfile;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;

/**
 * A launch that is asked for.
 *
 * @param launchable what is launched; null if the handle was wrong
 * @param cooperative whether all blocks have to run at the same time
 * @param parameters address of the packed parameters
 */
public record LaunchRequest(
    Context context,
    Launchable launchable,
    LaunchShape shape,
    boolean cooperative,
    long parameters,
    int parameterBytes) {
  /** Whether it can be done, as a result code. */
  public int check() {
    LoadedFunction function = launchable == null ? null : launchable.in(context);
    if (function == null) {
      return CudaResult.INVALID_HANDLE;
    }
    boolean possible =
        shape.fits(function.figures(), context.device().profile())
            && parameterBytes >= function.code().parameterBytes()
            && (parameters != 0 || parameterBytes == 0);
    if (!possible) {
      return CudaResult.INVALID_VALUE;
    }
    if (function.isRefused()) {
      return CudaResult.NOT_SUPPORTED;
    }
    return cooperative && shape.grid().count() > atOnce()
        ? CudaResult.COOPERATIVE_LAUNCH_TOO_LARGE
        : CudaResult.SUCCESS;
  }

  /** How many blocks the device holds at once. */
  private long atOnce() {
    DeviceProfile profile = context.device().profile();
    int each =
        new Occupancy(profile, launchable).blocks((int) shape.block().count(), shape.sharedBytes());
    return (long) each * profile.attribute(DeviceAttribute.MULTIPROCESSOR_COUNT);
  }

  /** The work, with a copy of the parameters: the program may change its own. */
  public KernelOperation operation() {
    LoadedFunction function = launchable.in(context);
    PtxLaunch launch =
        new PtxLaunch(
            shape.grid(),
            shape.block(),
            shape.sharedBytes(),
            copy(function.code().parameterBytes()),
            context.device().memory().inReach(),
            context.machine().common(context.device()),
            0,
            new KernelHost(context));
    return new KernelOperation(launchable, function.code(), launch, cooperative);
  }

  private MemorySegment copy(int bytes) {
    MemorySegment copy = MemorySegment.ofArray(new long[(bytes + 7) / 8]);
    MemorySegment.copy(Native.MEMORY, parameters, copy, 0, bytes);
    return copy;
  }
}
