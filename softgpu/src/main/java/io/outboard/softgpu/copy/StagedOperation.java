// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.copy;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.outboard.softgpu.base.CopyKind;
import io.outboard.softgpu.base.DoneWork;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Operation;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;

/** Copies bytes that were taken from the program when it asked for the copy. */
public final class StagedOperation extends Operation {
  private final byte[] taken;
  private final long to;

  /** Takes {@code bytes} bytes from an address of this process. */
  public StagedOperation(long from, long to, int bytes) {
    this.taken = Native.MEMORY.asSlice(from, bytes).toArray(JAVA_BYTE);
    this.to = to;
  }

  @Override
  public DoneWork work() {
    return new DoneWork.Copy(CopyKind.HOST_TO_DEVICE, taken.length);
  }

  @Override
  public void perform(Context context) {
    MemorySegment.copy(taken, 0, Native.MEMORY, JAVA_BYTE, to, taken.length);
  }
}
