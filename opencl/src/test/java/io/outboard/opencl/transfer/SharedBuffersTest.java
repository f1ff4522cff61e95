// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import static io.outboard.opencl.HostDevice.check;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.opencl.HostDevice;
import io.outboard.opencl.OpenClResult;
import io.outboard.opencl.vendor.VendorOpenCl;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On the host's OpenCL device, where there is one that uses the host's memory. */
class SharedBuffersTest {
  private static final int UNIFIED = 0x1035;
  private static final int IMAGE2D = 0x10F1;
  private static final long READ_WRITE = 1;
  private static final long ALLOC_HOST_PTR = 16;
  private static final long MAP_READ = 1;
  private static final int BYTES = 1 << 16;

  private final List<Long> unmapped = new ArrayList<>();
  private HostDevice device;
  private MemorySegment memory;
  private SharedBuffers buffers;
  private long queue;

  @BeforeEach
  void open() {
    device = new HostDevice();
    memory = device.arena.allocate(BYTES, 4096);
    queue = device.queue;
    VendorOpenCl host = device.host;
    MemorySegment unified = device.arena.allocate(JAVA_INT);
    check(host.clGetDeviceInfo(device.device.get(JAVA_LONG, 0), UNIFIED, 4, unified.address(), 0));
    assumeTrue(unified.get(JAVA_INT, 0) != 0, "the device has memory of its own");
    buffers =
        new SharedBuffers(
            host,
            host,
            bytes -> bytes <= BYTES ? memory.address() : 0,
            (base, bytes) -> unmapped.add(base));
  }

  @AfterEach
  void close() {
    if (device != null) {
      device.close();
    }
  }

  private int create(long size) {
    long flags = READ_WRITE | ALLOC_HOST_PTR;
    return buffers.outboardCreateSharedBuffer(device.context, flags, size, device.place());
  }

  @Test
  void theDeviceUsesThePassedMemory() {
    check(create(BYTES));
    long buffer = device.made();
    MemorySegment pattern = device.arena.allocateFrom(JAVA_BYTE, (byte) 7);
    check(buffers.clEnqueueFillBuffer(queue, buffer, pattern.address(), 1, 100, 50, 0, 0, 0));
    check(buffers.outboardMapShared(queue, buffer, MAP_READ, 100, 50, 0, 0, 0));
    check(buffers.clFinish(queue));
    assertEquals(7, memory.get(JAVA_BYTE, 100));
    assertEquals(7, memory.get(JAVA_BYTE, 149));
    check(buffers.outboardUnmapShared(queue, buffer, 100, 0, 0, 0));
    check(buffers.clFinish(queue));
    check(buffers.clReleaseMemObject(buffer));
    assertEquals(List.of(memory.address()), unmapped);
  }

  @Test
  void soDoesAnImage() {
    long format = device.arena.allocateFrom(JAVA_INT, 0x10B5, 0x10DA).address();
    long shape = device.words(IMAGE2D, 128, BYTES / 128 / 4, 0, 0, 0, 0, 0, 0);
    long image =
        device.made(
            buffers.outboardCreateSharedImage(
                device.context, READ_WRITE, format, shape, BYTES, device.place()));
    MemorySegment color = device.arena.allocateFrom(JAVA_INT, 1, 2, 3, 4);
    long origin = device.words(5, 6, 0);
    long region = device.words(2, 3, 1);
    check(buffers.clEnqueueFillImage(queue, image, color.address(), origin, region, 0, 0, 0));
    check(buffers.outboardMapSharedImage(queue, image, MAP_READ, origin, region, 0, 0, 0));
    check(buffers.clFinish(queue));
    long first = 6 * 128 * 4 + 5 * 4;
    assertEquals(1, memory.get(JAVA_BYTE, first));
    assertEquals(4, memory.get(JAVA_BYTE, first + 2 * 128 * 4 + 7));
    check(buffers.outboardUnmapShared(queue, image, first, 0, 0, 0));
    check(buffers.clFinish(queue));
    check(buffers.clReleaseMemObject(image));
    assertEquals(List.of(memory.address()), unmapped);
  }

  @Test
  void whatCannotBeMadeIsUnmapped() {
    assertEquals(OpenClResult.INVALID_VALUE, create(BYTES + 1));
    assertEquals(OpenClResult.INVALID_VALUE, create(-1));
    assertTrue(unmapped.isEmpty());
    int result = buffers.outboardCreateSharedBuffer(device.context, -1, BYTES, device.place());
    assertEquals(OpenClResult.INVALID_VALUE, result);
    assertEquals(List.of(memory.address()), unmapped);
  }

  @Test
  void whatIsNoSuchBufferIsRefused() {
    check(buffers.clCreateBuffer(device.context, READ_WRITE, BYTES, 0, device.place()));
    long other = device.made();
    assertEquals(
        OpenClResult.INVALID_VALUE,
        buffers.outboardMapShared(queue, other, MAP_READ, 0, 10, 0, 0, 0));
    long box = device.words(1, 1, 1);
    assertEquals(
        OpenClResult.INVALID_VALUE,
        buffers.outboardMapSharedImage(queue, other, MAP_READ, box, box, 0, 0, 0));
    assertEquals(OpenClResult.INVALID_VALUE, buffers.outboardUnmapShared(queue, other, 0, 0, 0, 0));
    check(buffers.clReleaseMemObject(other));
    check(create(BYTES));
    long shared = device.made();
    assertEquals(
        OpenClResult.INVALID_VALUE, buffers.outboardUnmapShared(queue, shared, BYTES, 0, 0, 0));
    assertEquals(
        OpenClResult.INVALID_VALUE, buffers.outboardUnmapShared(queue, shared, -1, 0, 0, 0));
    check(buffers.clReleaseMemObject(shared));
  }

  @Test
  void theSharedAreaHasBounds() {
    MemorySegment pattern = device.arena.allocateFrom(JAVA_BYTE, (byte) 7);
    long buffer =
        device.made(buffers.clCreateBuffer(device.context, READ_WRITE, BYTES, 0, device.place()));
    check(buffers.clEnqueueFillBuffer(queue, buffer, pattern.address(), 1, 0, BYTES, 0, 0, 0));
    assertEquals(OpenClResult.INVALID_VALUE, read(buffer, 0, 100));
    assertEquals(OpenClResult.INVALID_VALUE, buffers.outboardShareArea(BYTES + 1));
    check(buffers.outboardShareArea(BYTES));
    assertEquals(OpenClResult.INVALID_VALUE, buffers.outboardShareArea(BYTES));
    check(read(buffer, 500, 100));
    check(buffers.clFinish(queue));
    assertEquals(0, memory.get(JAVA_BYTE, 499));
    assertEquals(7, memory.get(JAVA_BYTE, 500));
    assertEquals(7, memory.get(JAVA_BYTE, 599));
    assertEquals(0, memory.get(JAVA_BYTE, 600));
    assertEquals(OpenClResult.INVALID_VALUE, read(buffer, BYTES - 99, 100));
    assertEquals(OpenClResult.INVALID_VALUE, read(buffer, -1, 100));
    assertEquals(OpenClResult.INVALID_VALUE, read(buffer, Long.MAX_VALUE, 100));
    assertEquals(OpenClResult.INVALID_VALUE, read(buffer, 1, Long.MAX_VALUE));
    assertEquals(OpenClResult.INVALID_VALUE, read(buffer, 0, -1));
    check(buffers.clReleaseMemObject(buffer));
  }

  private int read(long buffer, long place, long size) {
    return buffers.outboardReadShared(queue, buffer, 0, size, place, 0, 0, 0);
  }
}
