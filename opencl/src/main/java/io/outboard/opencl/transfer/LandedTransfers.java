// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;
import io.outboard.opencl.OpenClResult;
import io.outboard.opencl.transfer.PackedTransfers.Box;
import io.outboard.opencl.vendor.Place;
import io.outboard.wire.Native;

/**
 * The reads and writes of a session: none waits for the device, whose data {@link Landings} moves.
 */
public final class LandedTransfers extends OpenClDriverForwarding {
  private static final int ELEMENT_SIZE = 0x1111;

  private final OpenClDriver vendor;
  private final PackedTransfers device;
  private final Landings landings;
  private final BulkBytes bulk;

  /** Moves the data of a session whose calls go to {@code vendor}. */
  public LandedTransfers(OpenClDriver vendor, Landings landings, BulkBytes bulk) {
    super(vendor);
    this.vendor = vendor;
    this.device = new PackedTransfers(vendor);
    this.landings = landings;
    this.bulk = bulk;
  }

  @Override
  public int clEnqueueReadBuffer(
      long queue,
      long buffer,
      int blocking,
      long offset,
      long size,
      long landing,
      int waits,
      long waitList,
      long event) {
    Place at = new Place(queue, waits, waitList, event);
    return landings.read(
        landing, size, at, (place, data) -> device.read(place, buffer, offset, size, data));
  }

  @Override
  public int clEnqueueWriteBuffer(
      long queue,
      long buffer,
      int blocking,
      long offset,
      long size,
      long data,
      int waits,
      long waitList,
      long event) {
    Place at = new Place(queue, waits, waitList, event);
    return landings.write(
        data, size, at, (place, copy) -> device.write(place, buffer, offset, size, copy));
  }

  @Override
  public int clEnqueueReadBufferRect(
      long queue,
      long buffer,
      int blocking,
      long bufferOrigin,
      long hostOrigin,
      long region,
      long bufferRowPitch,
      long bufferSlicePitch,
      long hostRowPitch,
      long hostSlicePitch,
      long landing,
      int waits,
      long waitList,
      long event) {
    Place at = new Place(queue, waits, waitList, event);
    Box box = new Box(bufferOrigin, region, bufferRowPitch, bufferSlicePitch);
    return packed(hostOrigin, hostRowPitch, hostSlicePitch)
        ? landings.read(
            landing, volume(region, 1), at, (place, data) -> device.read(place, buffer, box, data))
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int clEnqueueWriteBufferRect(
      long queue,
      long buffer,
      int blocking,
      long bufferOrigin,
      long hostOrigin,
      long region,
      long bufferRowPitch,
      long bufferSlicePitch,
      long hostRowPitch,
      long hostSlicePitch,
      long data,
      long bytes,
      int waits,
      long waitList,
      long event) {
    Place at = new Place(queue, waits, waitList, event);
    Box box = new Box(bufferOrigin, region, bufferRowPitch, bufferSlicePitch);
    return packed(hostOrigin, hostRowPitch, hostSlicePitch) && bytes == volume(region, 1)
        ? landings.write(
            data, bytes, at, (place, copy) -> device.write(place, buffer, box, copy, bytes))
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int clEnqueueReadImage(
      long queue,
      long image,
      int blocking,
      long origin,
      long region,
      long rowPitch,
      long slicePitch,
      long landing,
      long bytes,
      int waits,
      long waitList,
      long event) {
    Place at = new Place(queue, waits, waitList, event);
    return fits(vendor, image, region, bytes) && rowPitch == 0 && slicePitch == 0
        ? landings.read(
            landing,
            bytes,
            at,
            (place, data) -> device.readImage(place, image, origin, region, data, bytes))
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int clEnqueueWriteImage(
      long queue,
      long image,
      int blocking,
      long origin,
      long region,
      long rowPitch,
      long slicePitch,
      long data,
      long bytes,
      int waits,
      long waitList,
      long event) {
    Place at = new Place(queue, waits, waitList, event);
    return fits(vendor, image, region, bytes) && rowPitch == 0 && slicePitch == 0
        ? landings.write(
            data,
            bytes,
            at,
            (place, copy) -> device.writeImage(place, image, origin, region, copy, bytes))
        : OpenClResult.INVALID_VALUE;
  }

  /** The program's side of a box travels without gaps. */
  private static boolean packed(long origin, long rowPitch, long slicePitch) {
    boolean first =
        origin != 0
            && Native.getLong(origin) == 0
            && Native.getLong(origin + 8) == 0
            && Native.getLong(origin + 16) == 0;
    return first && rowPitch == 0 && slicePitch == 0;
  }

  /** Bytes of a box of elements; −1 if that is too many, or there is no box. */
  static long volume(long region, long element) {
    long bytes = region == 0 ? -1 : element;
    for (int i = 0; i < 3 && bytes >= 0; i++) {
      long side = Native.getLong(region + 8L * i);
      boolean tooMany = side < 0 || Math.multiplyHigh(bytes, side) != 0 || bytes * side < 0;
      bytes = tooMany ? -1 : bytes * side;
    }
    return bytes;
  }

  /** Whether a box of an image is as large. */
  static boolean fits(OpenClDriver vendor, long image, long region, long bytes) {
    long place = Staging.allocate(Long.BYTES);
    if (place == 0) {
      return false;
    }
    int known = vendor.clGetImageInfo(image, ELEMENT_SIZE, Long.BYTES, place, 0);
    long element = known == OpenClResult.SUCCESS ? Native.getLong(place) : 0;
    Staging.free(place);
    return element > 0 && volume(region, element) == bytes;
  }

  @Override
  public int outboardLand(long landing, int waits, long offset, long data, long bytes, long total) {
    return landings.land(landing, waits, offset, data, bytes, total);
  }

  @Override
  public int outboardBulkLand(long landing, int waits, long bytes, long transfer) {
    return landings.land(landing, waits, bytes, data -> bulk.send(transfer, data, bytes));
  }

  @Override
  public int outboardEndLanding(long landing) {
    landings.forget(landing);
    return OpenClResult.SUCCESS;
  }
}
