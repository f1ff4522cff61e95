// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.launch;

import io.outboard.cuda.struct.LaunchConfig;
import io.outboard.ptx.host.Dim3;
import io.outboard.softgpu.profile.DeviceAttribute;
import io.outboard.softgpu.profile.DeviceProfile;
import io.outboard.softgpu.profile.FunctionFigures;
import io.outboard.wire.Native;

/**
 * The configuration of a launch.
 *
 * @param sharedBytes dynamic shared memory of a block
 */
public record LaunchShape(Dim3 grid, Dim3 block, int sharedBytes) {
  /** The shape in a configuration structure. */
  public static LaunchShape of(long config) {
    return new LaunchShape(
        extent(config),
        extent(config + 3 * Integer.BYTES),
        Native.getInt(config + LaunchConfig.SHARED_BYTES));
  }

  private static Dim3 extent(long address) {
    return new Dim3(Native.getInt(address), Native.getInt(address + 4), Native.getInt(address + 8));
  }

  /** Whether a function can be launched so on a device. */
  boolean fits(FunctionFigures figures, DeviceProfile profile) {
    return within(grid, profile, DeviceAttribute.MAX_GRID_DIM_X)
        && within(block, profile, DeviceAttribute.MAX_BLOCK_DIM_X)
        && block.count() <= figures.maxThreads()
        && sharedBytes >= 0
        && sharedBytes <= figures.maxDynamicSharedBytes();
  }

  /** Whether an extent is within three limits that follow each other. */
  private static boolean within(Dim3 extent, DeviceProfile profile, int firstLimit) {
    return within(extent.x(), profile.attribute(firstLimit))
        && within(extent.y(), profile.attribute(firstLimit + 1))
        && within(extent.z(), profile.attribute(firstLimit + 2));
  }

  private static boolean within(int value, int limit) {
    return value > 0 && value <= limit;
  }
}
