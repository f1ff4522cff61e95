// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.stream;

import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;
import io.outboard.wire.Native;
import java.lang.invoke.VarHandle;

/** Writes 4 or 8 bytes, behind everything before. */
public final class ValueWrite extends Operation {
  private final long address;
  private final long value;
  private final int bytes;

  public ValueWrite(long address, long value, int bytes) {
    this.address = address;
    this.value = value;
    this.bytes = bytes;
  }

  @Override
  public int nodeType() {
    return NodeType.BATCH_MEM_OP;
  }

  @Override
  public void perform(Context context) {
    VarHandle.fullFence();
    if (bytes == Integer.BYTES) {
      Native.putInt(address, (int) value);
    } else {
      Native.putLong(address, value);
    }
    VarHandle.fullFence();
  }
}
