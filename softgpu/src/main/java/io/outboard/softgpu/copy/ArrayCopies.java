// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.copy;

import io.outboard.cuda.CudaResult;
import io.outboard.ptx.host.PtxImage;
import io.outboard.softgpu.base.CopyKind;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.device.Operation;
import io.outboard.softgpu.device.Stream;
import io.outboard.softgpu.device.StreamOrder;
import io.outboard.softgpu.texture.DeviceArray;

/**
 * Copies from and to arrays. Addresses are of this process; 0 is a wrong one. Offsets are bytes of
 * an array's first row.
 */
public final class ArrayCopies {
  private final Machine machine;

  public ArrayCopies(Machine machine) {
    this.machine = machine;
  }

  private DeviceArray array(long handle) {
    return machine.handles().get(handle, DeviceArray.class);
  }

  public int toRow(long handle, long offset, long from, long bytes, boolean wait) {
    DeviceArray array = array(handle);
    int result = check(array, offset, bytes);
    if (result != CudaResult.SUCCESS || bytes == 0) {
      return result;
    }
    return from == 0
        ? CudaResult.INVALID_VALUE
        : run(
            new CopyOperation(from, array.process() + offset, bytes, CopyKind.HOST_TO_ARRAY), wait);
  }

  public int fromRow(long to, long handle, long offset, long bytes, boolean wait) {
    DeviceArray array = array(handle);
    int result = check(array, offset, bytes);
    if (result != CudaResult.SUCCESS || bytes == 0) {
      return result;
    }
    return to == 0
        ? CudaResult.INVALID_VALUE
        : run(new CopyOperation(array.process() + offset, to, bytes, CopyKind.ARRAY_TO_HOST), wait);
  }

  public int betweenRows(long to, long toOffset, long from, long fromOffset, long bytes) {
    DeviceArray target = array(to);
    DeviceArray source = array(from);
    int result = check(target, toOffset, bytes);
    if (result == CudaResult.SUCCESS) {
      result = check(source, fromOffset, bytes);
    }
    if (result != CudaResult.SUCCESS || bytes == 0) {
      return result;
    }
    long first = source.process() + fromOffset;
    return run(
        new CopyOperation(first, target.process() + toOffset, bytes, CopyKind.ARRAY_TO_ARRAY),
        false);
  }

  private int check(DeviceArray array, long offset, long bytes) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    if (array == null) {
      return CudaResult.INVALID_HANDLE;
    }
    ArrayBox row = new ArrayBox(array.handle(), offset, 0, 0, bytes, 1, 1);
    return bytes == 0 || row.isIn(array.image()) ? CudaResult.SUCCESS : CudaResult.INVALID_VALUE;
  }

  /** In the order of the default stream. */
  private int run(Operation operation, boolean wait) {
    StreamOrder order = machine.usable().order();
    return wait ? order.finish(order.legacy(), operation) : order.start(order.legacy(), operation);
  }

  /** Writes packed rows into a box. */
  public int write(ArrayBox box, long source, long bytes, long stream) {
    return copy(box, source, bytes, stream, true);
  }

  /** Reads a box as packed rows. */
  public int read(ArrayBox box, long destination, long bytes, long stream) {
    return copy(box, destination, bytes, stream, false);
  }

  private int copy(ArrayBox box, long packed, long bytes, long streamHandle, boolean write) {
    Context context = machine.usable();
    if (context == null) {
      return machine.refusal();
    }
    DeviceArray array = array(box.array());
    Stream stream = context.stream(streamHandle);
    if (array == null || stream == null) {
      return CudaResult.INVALID_HANDLE;
    }
    if (packed == 0 || !box.has(bytes) || !box.isIn(array.image())) {
      return CudaResult.INVALID_VALUE;
    }
    return stream.context().order().finish(stream, work(box, array, packed, write));
  }

  private static Operation work(ArrayBox box, DeviceArray array, long packed, boolean write) {
    PtxImage image = array.image();
    long first = array.process() + box.offset(image);
    BoxRows texels = new BoxRows(first, image.pitch(), image.slice());
    BoxRows rows = new BoxRows(packed, box.width(), box.width() * box.height());
    return new BoxOperation(
        write ? rows : texels,
        write ? texels : rows,
        box.width(),
        box.height(),
        box.depth(),
        write ? CopyKind.HOST_TO_ARRAY : CopyKind.ARRAY_TO_HOST);
  }
}
