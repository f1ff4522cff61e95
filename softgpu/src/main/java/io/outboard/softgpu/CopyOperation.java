// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.wire.Native;

/** Copies bytes between two addresses of this process. */
final class CopyOperation extends Operation {
  private final long from;
  private final long to;
  private final long bytes;

  CopyOperation(long from, long to, long bytes) {
    this.from = from;
    this.to = to;
    this.bytes = bytes;
  }

  @Override
  int nodeType() {
    return NodeType.MEMCPY;
  }

  @Override
  void perform(Context context) {
    Native.copy(from, to, bytes);
  }
}
