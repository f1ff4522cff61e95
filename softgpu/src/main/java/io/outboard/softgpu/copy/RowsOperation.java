// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.copy;

import io.outboard.softgpu.base.CopyKind;
import io.outboard.softgpu.base.DoneWork;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;
import io.outboard.wire.Native;

/** Copies a rectangle between two addresses of this process. */
public final class RowsOperation extends Operation {
  private final long from;
  private final Rectangle source;
  private final long to;
  private final Rectangle target;

  public RowsOperation(long from, Rectangle source, long to, Rectangle target) {
    this.from = from;
    this.source = source;
    this.to = to;
    this.target = target;
  }

  @Override
  public int nodeType() {
    return NodeType.MEMCPY;
  }

  @Override
  public DoneWork work() {
    return new DoneWork.Copy(CopyKind.DEVICE_TO_DEVICE, source.rowBytes() * source.rows());
  }

  @Override
  public void perform(Context context) {
    for (long row = 0; row < source.rows(); row++) {
      Native.copy(from + row * source.pitch(), to + row * target.pitch(), source.rowBytes());
    }
  }
}
