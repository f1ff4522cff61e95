// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.copy;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.outboard.softgpu.base.CopyKind;
import io.outboard.softgpu.base.DoneWork;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Operation;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;

/** Copies packed rows that were taken from the program when it asked for the copy. */
public final class StagedRowsOperation extends Operation {
  private final byte[] taken;
  private final long to;
  private final Rectangle target;

  /** Takes the rows of {@code target}, packed, from an address of this process. */
  public StagedRowsOperation(long from, long to, Rectangle target) {
    this.taken = Native.MEMORY.asSlice(from, target.rowBytes() * target.rows()).toArray(JAVA_BYTE);
    this.to = to;
    this.target = target;
  }

  @Override
  public DoneWork work() {
    return new DoneWork.Copy(CopyKind.HOST_TO_DEVICE, taken.length);
  }

  @Override
  public void perform(Context context) {
    int width = (int) target.rowBytes();
    for (int row = 0; row < target.rows(); row++) {
      MemorySegment.copy(
          taken, row * width, Native.MEMORY, JAVA_BYTE, to + row * target.pitch(), width);
    }
  }
}
