// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import io.outboard.wire.Native;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;

/**
 * Moves data between the wire and the devices of a session, none of which waits for the other: what
 * is read lands in memory of this process until the client fetches it, and what is written is
 * copied to memory that lives until the device has it.
 */
public final class LandedTransfers extends OpenClDriverForwarding {
  private static final int EXECUTION_STATUS = 0x11D3;
  private static final int COMPLETE = 0;
  private static final int ELEMENT_SIZE = 0x1111;
  private static final int NOT_BLOCKING = 0;

  private final VendorOpenCl vendor;
  private final Map<Long, Transfer> landings = new HashMap<>();
  private final Queue<Transfer> writes = new ArrayDeque<>();
  private final Area area;
  private volatile long areaBase;
  private volatile long areaBytes;

  /**
   * Data on its way.
   *
   * @param data where it lies
   * @param bytes how many
   * @param event of the command
   */
  private record Transfer(long data, long bytes, long event) {}

  /** A command that moves data from or to an address, and gives its event to a place. */
  interface Command {
    int enqueue(long data, long event);
  }

  /** Memory that the client passes. */
  @FunctionalInterface
  public interface Area {
    /** Maps so many bytes of what has been passed; returns their address, 0 if that cannot be. */
    long map(long bytes);
  }

  /** Moves the data of a session whose calls go to {@code vendor}. */
  public LandedTransfers(VendorOpenCl vendor, Area area) {
    super(vendor);
    this.vendor = vendor;
    this.area = area;
  }

  @Override
  public synchronized int outboardShareArea(long bytes) {
    long base = areaBase == 0 && bytes > 0 ? area.map(bytes) : 0;
    if (base == 0) {
      return OpenClResult.INVALID_VALUE;
    }
    areaBytes = bytes;
    areaBase = base;
    return OpenClResult.SUCCESS;
  }

  @Override
  public int outboardWriteShared(
      long queue,
      long buffer,
      long offset,
      long size,
      long place,
      int waits,
      long waitList,
      long event) {
    return isShared(place, size)
        ? vendor.clEnqueueWriteBuffer(
            queue, buffer, NOT_BLOCKING, offset, size, areaBase + place, waits, waitList, event)
        : OpenClResult.INVALID_VALUE;
  }

  @Override
  public int outboardReadShared(
      long queue,
      long buffer,
      long offset,
      long size,
      long place,
      int waits,
      long waitList,
      long event) {
    return isShared(place, size)
        ? vendor.clEnqueueReadBuffer(
            queue, buffer, NOT_BLOCKING, offset, size, areaBase + place, waits, waitList, event)
        : OpenClResult.INVALID_VALUE;
  }

  private boolean isShared(long place, long size) {
    return place >= 0 && size >= 0 && place <= areaBytes - size;
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
    return read(
        landing,
        size,
        event,
        (data, slot) ->
            vendor.clEnqueueReadBuffer(
                queue, buffer, NOT_BLOCKING, offset, size, data, waits, waitList, slot));
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
    return write(
        data,
        size,
        event,
        (copy, slot) ->
            vendor.clEnqueueWriteBuffer(
                queue, buffer, NOT_BLOCKING, offset, size, copy, waits, waitList, slot));
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
    return packed(hostOrigin, hostRowPitch, hostSlicePitch)
        ? read(
            landing,
            volume(region, 1),
            event,
            (data, slot) ->
                vendor.clEnqueueReadBufferRect(
                    queue,
                    buffer,
                    NOT_BLOCKING,
                    bufferOrigin,
                    hostOrigin,
                    region,
                    bufferRowPitch,
                    bufferSlicePitch,
                    0,
                    0,
                    data,
                    waits,
                    waitList,
                    slot))
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
    return packed(hostOrigin, hostRowPitch, hostSlicePitch) && bytes == volume(region, 1)
        ? write(
            data,
            bytes,
            event,
            (copy, slot) ->
                vendor.clEnqueueWriteBufferRect(
                    queue,
                    buffer,
                    NOT_BLOCKING,
                    bufferOrigin,
                    hostOrigin,
                    region,
                    bufferRowPitch,
                    bufferSlicePitch,
                    0,
                    0,
                    copy,
                    bytes,
                    waits,
                    waitList,
                    slot))
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
    return fits(image, region, bytes) && rowPitch == 0 && slicePitch == 0
        ? read(
            landing,
            bytes,
            event,
            (data, slot) ->
                vendor.clEnqueueReadImage(
                    queue,
                    image,
                    NOT_BLOCKING,
                    origin,
                    region,
                    0,
                    0,
                    data,
                    bytes,
                    waits,
                    waitList,
                    slot))
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
    return fits(image, region, bytes) && rowPitch == 0 && slicePitch == 0
        ? write(
            data,
            bytes,
            event,
            (copy, slot) ->
                vendor.clEnqueueWriteImage(
                    queue,
                    image,
                    NOT_BLOCKING,
                    origin,
                    region,
                    0,
                    0,
                    copy,
                    bytes,
                    waits,
                    waitList,
                    slot))
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

  boolean fits(long image, long region, long bytes) {
    long place = Staging.allocate(Long.BYTES);
    if (place == 0) {
      return false;
    }
    int known = vendor.clGetImageInfo(image, ELEMENT_SIZE, Long.BYTES, place, 0);
    long element = known == OpenClResult.SUCCESS ? Native.getLong(place) : 0;
    Staging.free(place);
    return element > 0 && volume(region, element) == bytes;
  }

  int read(long landing, long bytes, long event, Command command) {
    return move(bytes, event, command, 0, landing);
  }

  int write(long data, long bytes, long event, Command command) {
    endWrites();
    return data == 0 ? command.enqueue(0, event) : move(bytes, event, command, data, 0);
  }

  private int move(long bytes, long event, Command command, long source, long landing) {
    long data = bytes < 0 ? 0 : allocate(bytes);
    if (data == 0) {
      return bytes < 0 ? OpenClResult.INVALID_VALUE : OpenClResult.OUT_OF_HOST_MEMORY;
    }
    if (source != 0) {
      Native.copy(source, data, bytes);
    }
    return move(data, bytes, event, command, source == 0, landing);
  }

  /** Writes data that are this object's from now on, of memory from {@link #allocate}. */
  int writeOwn(long data, long bytes, long event, Command command) {
    endWrites();
    return move(data, bytes, event, command, false, 0);
  }

  /** The place behind the data is for the event where the program wants none. */
  static long allocate(long bytes) {
    return Staging.allocate(align(bytes) + Long.BYTES);
  }

  /** From or to memory that is freed once the command is over. */
  private int move(
      long data, long bytes, long event, Command command, boolean reads, long landing) {
    long slot = event == 0 ? data + align(bytes) : event;
    int result = command.enqueue(data, slot);
    if (result != OpenClResult.SUCCESS) {
      Staging.free(data);
      return result;
    }
    if (event != 0) {
      vendor.clRetainEvent(Native.getLong(event));
    }
    keep(landing, reads, new Transfer(data, bytes, Native.getLong(slot)));
    return result;
  }

  private static long align(long bytes) {
    return (bytes + 7) & -8;
  }

  private synchronized void keep(long landing, boolean reads, Transfer transfer) {
    if (reads) {
      landings.put(landing, transfer);
    } else {
      writes.add(transfer);
    }
  }

  /** Ends the writes whose data the devices have. */
  private synchronized void endWrites() {
    for (Iterator<Transfer> all = writes.iterator(); all.hasNext(); ) {
      Transfer write = all.next();
      if (status(write) <= COMPLETE) {
        all.remove();
        end(write);
      }
    }
  }

  private void end(Transfer transfer) {
    vendor.clReleaseEvent(transfer.event());
    Staging.free(transfer.data());
  }

  /** How far the command has come; what cannot be told is over. The event's place is free now. */
  private int status(Transfer transfer) {
    long place = transfer.data() + align(transfer.bytes());
    int result = vendor.clGetEventInfo(transfer.event(), EXECUTION_STATUS, Integer.BYTES, place, 0);
    return result == OpenClResult.SUCCESS ? Native.getInt(place) : result;
  }

  @Override
  public int outboardLand(long landing, int waits, long offset, long data, long bytes, long total) {
    Transfer transfer = landed(landing);
    if (transfer == null || offset < 0 || bytes < 0 || offset > transfer.bytes() - bytes) {
      return OpenClResult.INVALID_VALUE;
    }
    int result = waits == 0 ? finished(transfer) : await(transfer);
    if (result == OpenClResult.SUCCESS && data != 0) {
      Native.copy(transfer.data() + offset, data, bytes);
    }
    boolean over = result < OpenClResult.SUCCESS || offset + bytes >= total;
    if (over && result != OpenClResult.NOT_READY && take(landing, transfer)) {
      end(transfer);
    }
    return result;
  }

  private int finished(Transfer transfer) {
    int status = status(transfer);
    return status > COMPLETE ? OpenClResult.NOT_READY : status;
  }

  private int await(Transfer transfer) {
    long list = transfer.data() + align(transfer.bytes());
    Native.putLong(list, transfer.event());
    return vendor.clWaitForEvents(1, list);
  }

  private synchronized Transfer landed(long landing) {
    return landings.get(landing);
  }

  private synchronized boolean take(long landing, Transfer transfer) {
    return landings.remove(landing, transfer);
  }
}
