// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;
import io.outboard.opencl.OpenClResult;
import io.outboard.opencl.transfer.PackedTransfers.Box;
import io.outboard.opencl.vendor.Place;
import io.outboard.opencl.vendor.VendorOpenCl;
import io.outboard.wire.Native;
import java.util.HashMap;
import java.util.Map;

/**
 * Data that are too large for one call: a client brings them in parts, under a number of its own,
 * ahead of the call that takes it.
 */
public final class StagedTransfers extends OpenClDriverForwarding {
  private final VendorOpenCl vendor;
  private final PackedTransfers device;
  private final Landings landings;
  private final BulkBytes bulk;
  private final Map<Long, Staged> staged = new HashMap<>();

  /**
   * Data under way.
   *
   * @param data where it lies, of {@link Landings#allocate}
   * @param bytes how many it is to be
   */
  private record Staged(long data, long bytes) {}

  /** Makes a memory object of what lies at an address. */
  private interface Making {
    int of(long data);
  }

  /** Adds it to what serves a session's calls, whose writes {@code landings} moves. */
  public StagedTransfers(
      VendorOpenCl vendor, Landings landings, BulkBytes bulk, OpenClDriver served) {
    super(served);
    this.vendor = vendor;
    this.device = new PackedTransfers(vendor);
    this.landings = landings;
    this.bulk = bulk;
  }

  @Override
  public synchronized int outboardStage(
      long number, long offset, long data, long bytes, long total) {
    if (offset == 0 && !begin(number, total)) {
      return OpenClResult.OUT_OF_HOST_MEMORY;
    }
    Staged to = staged.get(number);
    boolean fits = to != null && offset >= 0 && bytes >= 0 && offset <= to.bytes() - bytes;
    if (!fits || data == 0) {
      return OpenClResult.INVALID_VALUE;
    }
    Native.copy(data, to.data() + offset, bytes);
    return OpenClResult.SUCCESS;
  }

  /** Makes room for something new; bytes that came under that number and were not taken go. */
  private boolean begin(long number, long total) {
    end(staged.remove(number));
    long data = allocate(total);
    if (data != 0) {
      staged.put(number, new Staged(data, total));
    }
    return data != 0;
  }

  private long allocate(long total) {
    boolean sensible = total > 0 && total < Long.MAX_VALUE - 2 * Long.BYTES;
    return sensible ? landings.allocate(total) : 0;
  }

  private void end(Staged before) {
    if (before != null) {
      landings.free(before.data(), before.bytes());
    }
  }

  /** Nobody else has the memory before all has come. */
  @Override
  public int outboardBulkStage(long number, long bytes, long transfer) {
    long data = allocate(bytes);
    if (data == 0) {
      return OpenClResult.OUT_OF_HOST_MEMORY;
    }
    Staged come = new Staged(data, bytes);
    int result = bulk.take(transfer, data, bytes);
    if (result == OpenClResult.SUCCESS) {
      replace(number, come);
    } else {
      end(come);
    }
    return result;
  }

  private synchronized void replace(long number, Staged come) {
    end(staged.put(number, come));
  }

  /** The data that have come, which are the caller's then; null if they are not so large. */
  private synchronized Staged take(long number, long size) {
    Staged its = staged.get(number);
    return its != null && its.bytes() == size ? staged.remove(number) : null;
  }

  private int write(long number, long size, Place at, Landings.Command command) {
    Staged from = take(number, size);
    return from == null
        ? OpenClResult.INVALID_VALUE
        : landings.writeOwn(from.data(), size, at, command);
  }

  private int make(long number, long size, Making making) {
    Staged from = take(number, size);
    if (from == null) {
      return OpenClResult.INVALID_VALUE;
    }
    int result = making.of(from.data());
    landings.free(from.data(), size);
    return result;
  }

  @Override
  public int outboardWriteStaged(
      long queue,
      long buffer,
      long offset,
      long size,
      long number,
      int waits,
      long waitList,
      long event) {
    Place at = new Place(queue, waits, waitList, event);
    return write(
        number, size, at, (place, data) -> device.write(place, buffer, offset, size, data));
  }

  @Override
  public int outboardWriteStagedRect(
      long queue,
      long buffer,
      long origin,
      long region,
      long rowPitch,
      long slicePitch,
      long number,
      int waits,
      long waitList,
      long event) {
    Place at = new Place(queue, waits, waitList, event);
    Box box = new Box(origin, region, rowPitch, slicePitch);
    long bytes = LandedTransfers.volume(region, 1);
    return write(number, bytes, at, (place, data) -> device.write(place, buffer, box, data, bytes));
  }

  @Override
  public int outboardWriteStagedImage(
      long queue,
      long image,
      long origin,
      long region,
      long number,
      long bytes,
      int waits,
      long waitList,
      long event) {
    Place at = new Place(queue, waits, waitList, event);
    return LandedTransfers.fits(vendor, image, region, bytes)
        ? write(
            number,
            bytes,
            at,
            (place, data) -> device.writeImage(place, image, origin, region, data, bytes))
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int outboardCreateStagedBuffer(
      long context, long properties, int count, long flags, long size, long number, long made) {
    return make(
        number,
        size,
        data ->
            properties == 0
                ? vendor.clCreateBuffer(context, flags, size, data, made)
                : vendor.clCreateBufferWithProperties(
                    context, properties, count, flags, size, data, made));
  }

  @Override
  public int outboardCreateStagedImage(
      long context,
      long properties,
      int count,
      long flags,
      long format,
      long description,
      long size,
      long number,
      long made) {
    return make(
        number,
        size,
        data ->
            properties == 0
                ? vendor.clCreateImage(context, flags, format, description, data, size, made)
                : vendor.clCreateImageWithProperties(
                    context, properties, count, flags, format, description, data, size, made));
  }
}
