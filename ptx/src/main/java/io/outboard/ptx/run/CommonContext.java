// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.host.PtxLaunch;
import java.lang.foreign.MemorySegment;

/**
 * A block that reaches memory beside that of its device. It is a class of its own, so that the look
 * at each address costs nothing where there is no such memory.
 */
final class CommonContext extends BlockContext {
  private final MemorySegment common;
  private final long base;
  private final long bytes;

  CommonContext(CompiledKernel kernel, PtxLaunch launch, int processor) {
    super(kernel, launch, processor);
    this.common = launch.common().bytes();
    this.base = launch.common().base();
    this.bytes = common.byteSize();
  }

  @Override
  MemorySegment memory(long address) {
    return isCommon(address) ? common : super.memory(address);
  }

  @Override
  long offset(long address) {
    return isCommon(address) ? address - base : super.offset(address);
  }

  private boolean isCommon(long address) {
    return Long.compareUnsigned(address - base, bytes) < 0;
  }
}
