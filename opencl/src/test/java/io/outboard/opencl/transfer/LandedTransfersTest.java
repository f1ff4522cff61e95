// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import static io.outboard.opencl.HostDevice.check;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.opencl.HostDevice;
import io.outboard.opencl.OpenClResult;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Data of a device of this machine; skipped where there is no OpenCL device. */
class LandedTransfersTest {
  private static final int BYTES = 10_000;
  private static final int COMPLETE = 0;
  private static final long READ_WRITE = 1;
  private static final long LANDING = 77;
  private static final int NOW = 0;
  private static final int WAIT = 1;

  private HostDevice device;
  private Arena arena;
  private MemorySegment area;
  private LandedTransfers transfers;
  private long queue;
  private long buffer;

  @BeforeEach
  void open() {
    device = new HostDevice();
    arena = device.arena;
    area = arena.allocate(BYTES);
    queue = device.queue;
    transfers =
        new LandedTransfers(
            device.host, new Landings(device.host), new CopiedBytes(area.address()));
    buffer =
        device.made(transfers.clCreateBuffer(device.context, READ_WRITE, BYTES, 0, device.place()));
  }

  @AfterEach
  void close() {
    if (device != null) {
      check(transfers.clReleaseMemObject(buffer));
      device.close();
    }
  }

  private byte[] written(int seed) {
    byte[] data = new byte[BYTES];
    new Random(seed).nextBytes(data);
    MemorySegment source = arena.allocateFrom(JAVA_BYTE, data);
    check(transfers.clEnqueueWriteBuffer(queue, buffer, 0, 0, BYTES, source.address(), 0, 0, 0));
    // The device has a copy.
    source.fill((byte) 0);
    return data;
  }

  private byte[] landed(int waits, long offset, int bytes, long total) {
    MemorySegment to = arena.allocate(bytes);
    check(transfers.outboardLand(LANDING, waits, offset, to.address(), bytes, total));
    return to.toArray(JAVA_BYTE);
  }

  private int land(int waits, long offset, long bytes) {
    return transfers.outboardLand(LANDING, waits, offset, area.address(), bytes, BYTES);
  }

  private int read(long offset, long size, int waits, long list) {
    return transfers.clEnqueueReadBuffer(queue, buffer, 0, offset, size, LANDING, waits, list, 0);
  }

  @Test
  void whatIsReadIsFetchedInPiecesAndOnce() {
    byte[] data = written(1);
    check(read(0, BYTES, 0, 0));
    MemorySegment both = arena.allocate(BYTES);
    both.asSlice(0, 6000).copyFrom(MemorySegment.ofArray(landed(WAIT, 0, 6000, BYTES)));
    both.asSlice(6000).copyFrom(MemorySegment.ofArray(landed(WAIT, 6000, 4000, BYTES)));
    assertArrayEquals(data, both.toArray(JAVA_BYTE));
    assertEquals(OpenClResult.INVALID_VALUE, land(WAIT, 0, 1));
  }

  @Test
  void aReadThatWaitsForTheProgramIsNotReady() {
    long gate = device.made(transfers.clCreateUserEvent(device.context, device.place()));
    MemorySegment list = arena.allocateFrom(JAVA_LONG, gate);
    byte[] data = written(2);
    check(read(0, BYTES, 1, list.address()));
    assertEquals(OpenClResult.NOT_READY, land(NOW, 0, BYTES));
    check(transfers.clSetUserEventStatus(gate, COMPLETE));
    assertArrayEquals(data, landed(WAIT, 0, BYTES, BYTES));
    check(transfers.clReleaseEvent(gate));
  }

  private int landInBulk(int waits, long bytes, long transfer) {
    return transfers.outboardBulkLand(LANDING, waits, bytes, transfer);
  }

  @Test
  void whatIsReadLeavesOverOtherConnectionsUntilItsEnd() {
    long gate = device.made(transfers.clCreateUserEvent(device.context, device.place()));
    MemorySegment list = arena.allocateFrom(JAVA_LONG, gate);
    byte[] data = written(3);
    check(read(0, BYTES, 1, list.address()));
    assertEquals(OpenClResult.NOT_READY, landInBulk(NOW, BYTES, CopiedBytes.TRANSFER));
    check(transfers.clSetUserEventStatus(gate, COMPLETE));
    assertEquals(OpenClResult.INVALID_VALUE, landInBulk(WAIT, BYTES - 1, CopiedBytes.TRANSFER));
    for (int i = 0; i < 2; i++) {
      area.fill((byte) 0);
      check(landInBulk(WAIT, BYTES, CopiedBytes.TRANSFER));
      assertArrayEquals(data, area.toArray(JAVA_BYTE));
    }
    check(transfers.outboardEndLanding(LANDING));
    assertEquals(OpenClResult.INVALID_VALUE, landInBulk(WAIT, BYTES, CopiedBytes.TRANSFER));
    check(transfers.outboardEndLanding(LANDING));
    check(transfers.clReleaseEvent(gate));
  }

  @Test
  void aLandingThatCannotLeaveIsFetchedOtherwise() {
    byte[] data = written(4);
    check(read(0, BYTES, 0, 0));
    assertEquals(OpenClResult.INVALID_OPERATION, landInBulk(WAIT, BYTES, 99));
    assertArrayEquals(data, landed(WAIT, 0, BYTES, BYTES));
    assertEquals(OpenClResult.INVALID_VALUE, land(WAIT, 0, 1));
  }

  /** The device still writes there: the memory is freed afterwards. */
  @Test
  void aLandingMayEndBeforeItsRead() {
    long gate = device.made(transfers.clCreateUserEvent(device.context, device.place()));
    check(read(0, BYTES, 1, arena.allocateFrom(JAVA_LONG, gate).address()));
    check(transfers.outboardEndLanding(LANDING));
    assertEquals(OpenClResult.INVALID_VALUE, land(NOW, 0, BYTES));
    check(transfers.clSetUserEventStatus(gate, COMPLETE));
    check(transfers.clFinish(queue));
    check(transfers.clReleaseEvent(gate));
  }

  @Test
  void moreThanWasReadIsRefused() {
    check(read(0, 100, 0, 0));
    assertEquals(OpenClResult.INVALID_VALUE, land(WAIT, 0, 101));
    assertEquals(OpenClResult.INVALID_VALUE, land(WAIT, -1, 1));
    assertEquals(OpenClResult.INVALID_VALUE, land(WAIT, Long.MAX_VALUE, 1));
    assertEquals(OpenClResult.INVALID_VALUE, land(WAIT, 1, Long.MAX_VALUE));
    landed(WAIT, 0, 100, 100);
  }

  @Test
  void whatTheDeviceRefusesDoesNotLand() {
    assertEquals(OpenClResult.INVALID_VALUE, read(1, BYTES, 0, 0));
    assertEquals(OpenClResult.INVALID_VALUE, land(WAIT, 0, 1));
    assertEquals(OpenClResult.INVALID_VALUE, read(0, -1, 0, 0));
  }

  @Test
  void boxesTravelWithoutGaps() {
    byte[] data = written(3);
    MemorySegment origin = arena.allocateFrom(JAVA_LONG, 5, 2, 0);
    MemorySegment zero = arena.allocateFrom(JAVA_LONG, 0, 0, 0);
    MemorySegment region = arena.allocateFrom(JAVA_LONG, 10, 3, 1);
    check(box(origin, zero, region, 0));
    byte[] box = landed(WAIT, 0, 30, 30);
    for (int i = 0; i < box.length; i++) {
      assertEquals(data[(2 + i / 10) * 100 + 5 + i % 10], box[i]);
    }
    assertEquals(OpenClResult.INVALID_VALUE, box(origin, zero, region, 10));
    assertEquals(OpenClResult.INVALID_VALUE, box(zero, origin, region, 0));
    MemorySegment endless = arena.allocateFrom(JAVA_LONG, 1L << 40, 1L << 40, 1);
    assertEquals(OpenClResult.INVALID_VALUE, box(origin, zero, endless, 0));
  }

  private int box(MemorySegment from, MemorySegment to, MemorySegment region, long hostRowPitch) {
    return transfers.clEnqueueReadBufferRect(
        queue,
        buffer,
        0,
        from.address(),
        to.address(),
        region.address(),
        100,
        0,
        hostRowPitch,
        0,
        LANDING,
        0,
        0,
        0);
  }

  /** A buffer is no image, whatever the call says. */
  @Test
  void whatIsNoImageIsRefused() {
    long one = arena.allocateFrom(JAVA_LONG, 1, 1, 1).address();
    int result =
        transfers.clEnqueueReadImage(queue, buffer, 0, one, one, 0, 0, LANDING, 4, 0, 0, 0);
    assertEquals(OpenClResult.INVALID_VALUE, result);
  }
}
