// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.copy;

import io.outboard.softgpu.base.DoneWork;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;

/** Fills a rectangle of device memory. */
public final class FillOperation extends Operation {
  private final long target;
  private final Rectangle shape;
  private final int value;
  private final int valueBytes;

  /**
   * Creates one.
   *
   * @param target address in this process
   * @param valueBytes 1, 2 or 4
   */
  public FillOperation(long target, Rectangle shape, int value, int valueBytes) {
    this.target = target;
    this.shape = shape;
    this.value = value;
    this.valueBytes = valueBytes;
  }

  @Override
  public int nodeType() {
    return NodeType.MEMSET;
  }

  @Override
  public DoneWork work() {
    return new DoneWork.Fill(shape.rowBytes() * shape.rows(), value);
  }

  @Override
  public void perform(Context context) {
    for (long row = 0; row < shape.rows(); row++) {
      Fill.fill(target + row * shape.pitch(), shape.rowBytes(), value, valueBytes);
    }
  }
}
