// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.copy;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.Memcpy3D;
import io.outboard.ptx.host.PtxImage;
import io.outboard.softgpu.base.CopyKind;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.Operation;
import io.outboard.softgpu.texture.DeviceArray;
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
public record BoxCopy(Side from, Side to, long width, long height, long depth) {
  private static final int ARRAY = 3;
  private static final int HOST = 1;

  /**
   * One side.
   *
   * @param type {@code CUmemorytype}
   * @param address of the first byte of the box, or its distance from that of the array
   * @param pitch bytes from row to row
   * @param rows rows from layer to layer
   * @param array null where it is none
   * @param corner where the box begins, in bytes, rows and layers
   */
  record Side(int type, long address, long pitch, long rows, DeviceArray array, ArrayBox corner) {
    static Side of(long side, Machine machine) {
      long x = Native.getLong(side);
      long y = Native.getLong(side + 8);
      long z = Native.getLong(side + 16);
      int type = Native.getInt(side + Memcpy3D.TYPE);
      if (type == ARRAY) {
        return ofArray(
            machine, new ArrayBox(Native.getLong(side + Memcpy3D.ARRAY_VALUE), x, y, z, 0, 0, 0));
      }
      long pitch = Native.getLong(side + Memcpy3D.PITCH);
      long rows = Native.getLong(side + Memcpy3D.ROWS);
      long first = Native.getLong(side + (type == HOST ? 40 : 48));
      return new Side(type, first + (z * rows + y) * pitch + x, pitch, rows, null, null);
    }

    private static Side ofArray(Machine machine, ArrayBox corner) {
      DeviceArray array = machine.handles().get(corner.array(), DeviceArray.class);
      if (array == null) {
        return new Side(ARRAY, 0, 0, 0, null, corner);
      }
      PtxImage image = array.image();
      return new Side(ARRAY, corner.offset(image), image.pitch(), image.height(), array, corner);
    }

    Rectangle shape(long width, long height, long depth) {
      return new Rectangle(pitch, width, depth > 1 ? (depth - 1) * rows + height : height);
    }

    boolean isInArray(long width, long height, long depth) {
      return new ArrayBox(0, corner.x(), corner.y(), corner.z(), width, height, depth)
          .isIn(array.image());
    }

    /** Where the rows are, with the box at an address of this process. */
    BoxRows rows(long first) {
      return new BoxRows(first, pitch, rows * pitch);
    }
  }

  public static BoxCopy of(long copy, Machine machine) {
    long extent = copy + Memcpy3D.EXTENT;
    return new BoxCopy(
        Side.of(copy, machine),
        Side.of(copy + Memcpy3D.SIDE_BYTES, machine),
        Native.getLong(extent),
        Native.getLong(extent + 8),
        Native.getLong(extent + 16));
  }

  public boolean isEmpty() {
    return width == 0 || height == 0 || depth == 0;
  }

  public long bytes() {
    return width * height * depth;
  }

  /** Whether it can be done inside device memory, as a result code. */
  public int check(Machine machine) {
    return from.type == HOST || to.type == HOST ? CudaResult.NOT_SUPPORTED : checkShared(machine);
  }

  /** Whether it can be done where whoever calls has found host memory to be shared. */
  public int checkShared(Machine machine) {
    if (isUnknownArray(from) || isUnknownArray(to)) {
      return CudaResult.INVALID_HANDLE;
    }
    if (width < 0 || height < 0 || depth < 0) {
      return CudaResult.INVALID_VALUE;
    }
    return isEmpty() || (fits(machine, from) && fits(machine, to))
        ? CudaResult.SUCCESS
        : CudaResult.INVALID_VALUE;
  }

  private static boolean isUnknownArray(Side side) {
    return side.type == ARRAY && side.array == null;
  }

  private boolean fits(Machine machine, Side side) {
    if (side.array != null) {
      return side.isInArray(width, height, depth);
    }
    Rectangle shape = side.shape(width, height, depth);
    return (depth == 1 || side.rows >= height)
        && shape.isPossible()
        && resolve(machine, side, shape.extent()) != 0;
  }

  /** The work, which {@link #check} found possible. */
  public Operation operation(Machine machine) {
    long source = resolve(machine, from, from.shape(width, height, depth).extent());
    long target = resolve(machine, to, to.shape(width, height, depth).extent());
    CopyKind kind =
        CopyKind.between(from.type == HOST, from.array != null, to.type == HOST, to.array != null);
    return new BoxOperation(from.rows(source), to.rows(target), width, height, depth, kind);
  }

  private static long resolve(Machine machine, Side side, long bytes) {
    if (side.array != null) {
      return side.array.process() + side.address;
    }
    return side.type == HOST ? side.address : machine.resolve(side.address, bytes);
  }
}
