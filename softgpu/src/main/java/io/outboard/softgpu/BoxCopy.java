// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.Memcpy3D;
import io.outboard.wire.Native;

/**
 * A copy of a box inside device memory ({@code CUDA_MEMCPY3D}).
 *
 * @param from where the box begins
 * @param to where it goes
 * @param width bytes of a row
 * @param height rows of a layer
 * @param depth layers
 */
record BoxCopy(Side from, Side to, long width, long height, long depth) {
  private static final int ARRAY = 3;
  private static final int HOST = 1;

  /**
   * One side.
   *
   * @param type {@code CUmemorytype}
   * @param address of the first byte of the box
   * @param pitch bytes from row to row
   * @param rows rows from layer to layer
   */
  record Side(int type, long address, long pitch, long rows) {
    static Side of(long side) {
      long pitch = Native.getLong(side + 72);
      long rows = Native.getLong(side + 80);
      long skippedRows = Native.getLong(side + 16) * rows + Native.getLong(side + 8);
      int type = Native.getInt(side + 32);
      long first = Native.getLong(side + (type == HOST ? 40 : 48));
      long address = first + skippedRows * pitch + Native.getLong(side);
      return new Side(type, address, pitch, rows);
    }

    Rectangle shape(long width, long height, long depth) {
      return new Rectangle(pitch, width, depth > 1 ? (depth - 1) * rows + height : height);
    }
  }

  static BoxCopy of(long copy) {
    long extent = copy + Memcpy3D.EXTENT;
    return new BoxCopy(
        Side.of(copy),
        Side.of(copy + Memcpy3D.SIDE_BYTES),
        Native.getLong(extent),
        Native.getLong(extent + 8),
        Native.getLong(extent + 16));
  }

  boolean isEmpty() {
    return width == 0 || height == 0 || depth == 0;
  }

  long bytes() {
    return width * height * depth;
  }

  /** Whether it can be done inside device memory, as a result code. There are no arrays here. */
  int check(Machine machine) {
    return from.type == HOST || to.type == HOST ? CudaResult.NOT_SUPPORTED : checkShared(machine);
  }

  /** Whether it can be done where whoever calls has found host memory to be shared. */
  int checkShared(Machine machine) {
    if (from.type == ARRAY || to.type == ARRAY) {
      return CudaResult.NOT_SUPPORTED;
    }
    if (width < 0 || height < 0 || depth < 0) {
      return CudaResult.INVALID_VALUE;
    }
    return isEmpty() || (fits(machine, from) && fits(machine, to))
        ? CudaResult.SUCCESS
        : CudaResult.INVALID_VALUE;
  }

  private boolean fits(Machine machine, Side side) {
    Rectangle shape = side.shape(width, height, depth);
    return (depth == 1 || side.rows >= height)
        && shape.isPossible()
        && resolve(machine, side, shape.extent()) != 0;
  }

  /** The work, which {@link #check} found possible. */
  Operation operation(Machine machine) {
    long source = resolve(machine, from, from.shape(width, height, depth).extent());
    long target = resolve(machine, to, to.shape(width, height, depth).extent());
    return new Layers(source, target);
  }

  private static long resolve(Machine machine, Side side, long bytes) {
    return side.type == HOST ? side.address : machine.resolve(side.address, bytes);
  }

  /** Copies layer by layer. */
  private final class Layers extends Operation {
    private final long source;
    private final long target;

    Layers(long source, long target) {
      this.source = source;
      this.target = target;
    }

    @Override
    int nodeType() {
      return GraphNode.MEMCPY;
    }

    @Override
    void perform(Context context) {
      for (long layer = 0; layer < depth; layer++) {
        long sourceRow = source + layer * from.rows * from.pitch;
        long targetRow = target + layer * to.rows * to.pitch;
        for (long row = 0; row < height; row++) {
          Native.copy(sourceRow + row * from.pitch, targetRow + row * to.pitch, width);
        }
      }
    }
  }
}
