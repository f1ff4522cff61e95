// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.copy;

import io.outboard.softgpu.base.CopyKind;
import io.outboard.softgpu.base.DoneWork;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;
import io.outboard.wire.Native;

/** Copies a box row by row, between addresses of this process. */
final class BoxOperation extends Operation {
  private final BoxRows from;
  private final BoxRows to;
  private final long width;
  private final long height;
  private final long depth;
  private final CopyKind kind;

  BoxOperation(BoxRows from, BoxRows to, long width, long height, long depth, CopyKind kind) {
    this.from = from;
    this.to = to;
    this.width = width;
    this.height = height;
    this.depth = depth;
    this.kind = kind;
  }

  @Override
  public int nodeType() {
    return NodeType.MEMCPY;
  }

  @Override
  public DoneWork work() {
    return new DoneWork.Copy(kind, width * height * depth);
  }

  @Override
  public void perform(Context context) {
    for (long layer = 0; layer < depth; layer++) {
      for (long row = 0; row < height; row++) {
        Native.copy(from.row(layer, row), to.row(layer, row), width);
      }
    }
  }
}
