// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.copy;

import io.outboard.softgpu.base.CopyKind;
import io.outboard.softgpu.base.DoneWork;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;
import io.outboard.wire.Native;

/** Copies bytes between two addresses of this process. */
public final class CopyOperation extends Operation {
  private final long from;
  private final long to;
  private final long bytes;
  private final CopyKind kind;

  public CopyOperation(long from, long to, long bytes, CopyKind kind) {
    this.from = from;
    this.to = to;
    this.bytes = bytes;
    this.kind = kind;
  }

  @Override
  public int nodeType() {
    return NodeType.MEMCPY;
  }

  @Override
  public DoneWork work() {
    return new DoneWork.Copy(kind, bytes);
  }

  @Override
  public void perform(Context context) {
    Native.copy(from, to, bytes);
  }
}
