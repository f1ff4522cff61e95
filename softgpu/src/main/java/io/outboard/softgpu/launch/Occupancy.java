// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.launch;

import io.outboard.softgpu.module.Launchable;
import io.outboard.softgpu.profile.DeviceAttribute;
import io.outboard.softgpu.profile.DeviceProfile;
import io.outboard.softgpu.profile.FunctionFigures;

/**
 * How many blocks a multiprocessor holds at once: the least of what its threads, its block slots,
 * its registers and its shared memory allow (CUDA C++ Best Practices Guide, "Occupancy").
 */
public final class Occupancy {
  /** Shared memory is given out in pieces of this many bytes. */
  private static final int SHARED_UNIT = 128;

  /** Registers of a warp are given out in pieces of this many. */
  private static final int REGISTER_UNIT = 256;

  private final DeviceProfile profile;
  private final FunctionFigures figures;
  private final int staticBytes;

  public Occupancy(DeviceProfile profile, Launchable function) {
    this.profile = profile;
    this.figures = function.figures();
    this.staticBytes = function.code().sharedBytes();
  }

  /** Blocks of this many threads and bytes of dynamic shared memory; 0 when not even one fits. */
  public int blocks(int threads, long dynamicBytes) {
    if (threads > figures.maxThreads() || dynamicBytes > figures.maxDynamicSharedBytes()) {
      return 0;
    }
    return Math.min(byThreads(threads), byShared(dynamicBytes));
  }

  private int byThreads(int threads) {
    int warp = profile.attribute(DeviceAttribute.WARP_SIZE);
    int warps = (threads + warp - 1) / warp;
    int slots = profile.attribute(DeviceAttribute.MAX_BLOCKS_PER_MULTIPROCESSOR);
    int held = profile.attribute(DeviceAttribute.MAX_THREADS_PER_MULTIPROCESSOR) / warp;
    int registers = roundUp(figures.registers() * warp, REGISTER_UNIT) * warps;
    int byRegisters =
        profile.attribute(DeviceAttribute.MAX_REGISTERS_PER_MULTIPROCESSOR) / registers;
    return Math.min(Math.min(slots, held / warps), byRegisters);
  }

  private int byShared(long dynamicBytes) {
    int all = profile.attribute(DeviceAttribute.MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    return all / (roundUp(staticBytes + (int) dynamicBytes, SHARED_UNIT) + reserved());
  }

  /** Dynamic shared memory that a block may use so that this many fit; 0 when they do not fit. */
  public long dynamicBytes(int blocks, int threads) {
    if (blocks > byThreads(threads)) {
      return 0;
    }
    int all = profile.attribute(DeviceAttribute.MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    int each = (all / blocks - reserved()) / SHARED_UNIT * SHARED_UNIT - staticBytes;
    return Math.clamp(each, 0, figures.maxDynamicSharedBytes());
  }

  private int reserved() {
    return profile.attribute(DeviceAttribute.RESERVED_SHARED_MEMORY_PER_BLOCK);
  }

  private static int roundUp(int value, int unit) {
    return (value + unit - 1) / unit * unit;
  }
}
