// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import static io.outboard.opencl.HostDevice.check;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.opencl.HostDevice;
import io.outboard.opencl.OpenClResult;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Data that come in parts, for a device of this machine; skipped where there is none. */
class StagedTransfersTest {
  private static final int BYTES = 10_000;
  private static final long READ_WRITE = 1;
  private static final long COPY_HOST_PTR = 32;
  private static final int IMAGE2D = 0x10F1;
  private static final int WIDTH = 50;
  private static final int HEIGHT = BYTES / 4 / WIDTH;
  private static final int WAIT = 1;
  private static final long NUMBER = 7;

  private final byte[] data = new byte[BYTES];
  private HostDevice device;
  private StagedTransfers transfers;
  private MemorySegment source;
  private MemorySegment got;

  @BeforeEach
  void open() {
    device = new HostDevice();
    new Random(5).nextBytes(data);
    source = device.arena.allocateFrom(JAVA_BYTE, data);
    transfers =
        new StagedTransfers(
            device.host, new Landings(device.host), new CopiedBytes(source.address()), device.host);
    got = device.arena.allocate(BYTES);
  }

  @AfterEach
  void close() {
    if (device != null) {
      device.close();
    }
  }

  /** Both parts of the data. */
  private void stage() {
    check(transfers.outboardStage(NUMBER, 0, source.address(), 6000, BYTES));
    check(transfers.outboardStage(NUMBER, 6000, source.address() + 6000, BYTES - 6000, BYTES));
  }

  private long buffer() {
    return device.made(
        transfers.clCreateBuffer(device.context, READ_WRITE, BYTES, 0, device.place()));
  }

  private int write(long buffer, long size) {
    return transfers.outboardWriteStaged(device.queue, buffer, 0, size, NUMBER, 0, 0, 0);
  }

  private void holds(long buffer) {
    check(
        device.host.clEnqueueReadBuffer(
            device.queue, buffer, WAIT, 0, BYTES, got.address(), 0, 0, 0));
    assertArrayEquals(data, got.toArray(JAVA_BYTE));
    check(transfers.clReleaseMemObject(buffer));
  }

  @Test
  void whatComesOverOtherConnectionsIsWrittenAsAWhole() {
    long buffer = buffer();
    check(transfers.outboardBulkStage(NUMBER, BYTES, CopiedBytes.TRANSFER));
    check(write(buffer, BYTES));
    holds(buffer);
  }

  @Test
  void whatDoesNotComeIsNotThere() {
    long buffer = buffer();
    assertEquals(OpenClResult.INVALID_OPERATION, transfers.outboardBulkStage(NUMBER, BYTES, 99));
    assertEquals(
        OpenClResult.OUT_OF_HOST_MEMORY,
        transfers.outboardBulkStage(NUMBER, 0, CopiedBytes.TRANSFER));
    assertEquals(OpenClResult.INVALID_VALUE, write(buffer, BYTES));
    check(transfers.clReleaseMemObject(buffer));
  }

  @Test
  void whatIsBroughtInPartsIsWrittenAsAWhole() {
    long buffer = buffer();
    stage();
    assertEquals(OpenClResult.INVALID_VALUE, write(buffer, BYTES - 1));
    check(write(buffer, BYTES));
    assertEquals(OpenClResult.INVALID_VALUE, write(buffer, BYTES));
    holds(buffer);
  }

  @Test
  void soIsABoxOfABuffer() {
    long buffer = buffer();
    stage();
    long none = device.words(0, 0, 0);
    assertEquals(OpenClResult.INVALID_VALUE, writeRect(buffer, none, device.words(100, 10, 9)));
    check(writeRect(buffer, none, device.words(100, 10, 10)));
    holds(buffer);
  }

  private int writeRect(long buffer, long origin, long region) {
    return transfers.outboardWriteStagedRect(
        device.queue, buffer, origin, region, 0, 0, NUMBER, 0, 0, 0);
  }

  @Test
  void aBufferIsMadeOfIt() {
    stage();
    long flags = READ_WRITE | COPY_HOST_PTR;
    holds(
        device.made(
            transfers.outboardCreateStagedBuffer(
                device.context, 0, 0, flags, BYTES, NUMBER, device.place())));
    stage();
    holds(
        device.made(
            transfers.outboardCreateStagedBuffer(
                device.context, device.words(0), 1, flags, BYTES, NUMBER, device.place())));
  }

  /** Of four bytes a pixel. */
  private long format() {
    return device.arena.allocateFrom(JAVA_INT, 0x10B5, 0x10DA).address();
  }

  private long shape() {
    return device.words(IMAGE2D, WIDTH, HEIGHT, 0, 0, 0, 0, 0, 0);
  }

  private void imageHolds(long image) {
    long region = device.words(WIDTH, HEIGHT, 1);
    check(
        device.host.clEnqueueReadImage(
            device.queue,
            image,
            WAIT,
            device.words(0, 0, 0),
            region,
            0,
            0,
            got.address(),
            BYTES,
            0,
            0,
            0));
    assertArrayEquals(data, got.toArray(JAVA_BYTE));
    check(transfers.clReleaseMemObject(image));
  }

  @Test
  void anImageIsWrittenWithIt() {
    long image =
        device.made(
            transfers.clCreateImage(
                device.context, READ_WRITE, format(), shape(), 0, 0, device.place()));
    stage();
    long none = device.words(0, 0, 0);
    assertEquals(
        OpenClResult.INVALID_VALUE, writeImage(image, none, device.words(WIDTH, HEIGHT, 2)));
    check(writeImage(image, none, device.words(WIDTH, HEIGHT, 1)));
    imageHolds(image);
  }

  private int writeImage(long image, long origin, long region) {
    return transfers.outboardWriteStagedImage(
        device.queue, image, origin, region, NUMBER, BYTES, 0, 0, 0);
  }

  @Test
  void anImageIsMadeOfIt() {
    stage();
    long flags = READ_WRITE | COPY_HOST_PTR;
    imageHolds(
        device.made(
            transfers.outboardCreateStagedImage(
                device.context, 0, 0, flags, format(), shape(), BYTES, NUMBER, device.place())));
  }

  @Test
  void aPartThatDoesNotFitIsRefused() {
    check(transfers.outboardStage(NUMBER, 0, source.address(), 100, 200));
    assertEquals(OpenClResult.INVALID_VALUE, part(100, 101));
    assertEquals(OpenClResult.INVALID_VALUE, part(-1, 1));
    assertEquals(OpenClResult.INVALID_VALUE, part(100, -1));
    assertEquals(OpenClResult.INVALID_VALUE, part(Long.MAX_VALUE, 1));
    check(part(100, 100));
    assertEquals(OpenClResult.INVALID_VALUE, transfers.outboardStage(8, 1, source.address(), 1, 2));
    assertEquals(
        OpenClResult.OUT_OF_HOST_MEMORY, transfers.outboardStage(8, 0, source.address(), 1, -1));
    long buffer = buffer();
    assertEquals(OpenClResult.INVALID_VALUE, write(buffer, 100));
    check(write(buffer, 200));
    check(transfers.clReleaseMemObject(buffer));
  }

  private int part(long offset, long bytes) {
    return transfers.outboardStage(NUMBER, offset, source.address(), bytes, 200);
  }
}
