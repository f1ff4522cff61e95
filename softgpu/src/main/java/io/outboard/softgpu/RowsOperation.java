// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.wire.Native;

/** Copies a rectangle between two addresses of this process. */
final class RowsOperation extends Operation {
  private final long from;
  private final Rectangle source;
  private final long to;
  private final Rectangle target;

  RowsOperation(long from, Rectangle source, long to, Rectangle target) {
    this.from = from;
    this.source = source;
    this.to = to;
    this.target = target;
  }

  @Override
  int nodeType() {
    return NodeType.MEMCPY;
  }

  @Override
  void perform(Context context) {
    for (long row = 0; row < source.rows(); row++) {
      Native.copy(from + row * source.pitch(), to + row * target.pitch(), source.rowBytes());
    }
  }
}
