// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On the host's OpenCL device, where there is one that uses the host's memory. */
class SharedBuffersTest {
  private static final int UNIFIED = 0x1035;
  private static final long READ_WRITE = 1;
  private static final long ALLOC_HOST_PTR = 16;
  private static final long MAP_READ = 1;
  private static final int BYTES = 1 << 16;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment word = arena.allocate(JAVA_LONG);
  private final MemorySegment memory = arena.allocate(BYTES, 4096);
  private final List<Long> unmapped = new ArrayList<>();
  private SharedBuffers buffers;
  private long context;
  private long queue;

  @BeforeEach
  void open() {
    VendorOpenCl host = HostLibrary.withDevice(word.address());
    MemorySegment device = arena.allocateFrom(JAVA_LONG, made());
    word.set(JAVA_LONG, 0, 0);
    check(host.clGetDeviceInfo(device.get(JAVA_LONG, 0), UNIFIED, 4, word.address(), 0));
    assumeTrue(made() != 0, "the device has memory of its own");
    buffers =
        new SharedBuffers(
            host,
            host,
            bytes -> bytes <= BYTES ? memory.address() : 0,
            (base, bytes) -> unmapped.add(base));
    check(buffers.clCreateContext(0, 1, device.address(), word.address()));
    context = made();
    check(buffers.clCreateCommandQueue(context, device.get(JAVA_LONG, 0), 0, word.address()));
    queue = made();
  }

  @AfterEach
  void close() {
    if (queue != 0) {
      check(buffers.clReleaseCommandQueue(queue));
      check(buffers.clReleaseContext(context));
    }
    arena.close();
  }

  private long made() {
    return word.get(JAVA_LONG, 0);
  }

  private static void check(int result) {
    assertEquals(OpenClResult.SUCCESS, result);
  }

  private int create(long size) {
    long flags = READ_WRITE | ALLOC_HOST_PTR;
    return buffers.outboardCreateSharedBuffer(context, flags, size, word.address());
  }

  @Test
  void theDeviceUsesThePassedMemory() {
    check(create(BYTES));
    long buffer = made();
    MemorySegment pattern = arena.allocateFrom(JAVA_BYTE, (byte) 7);
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
  void whatCannotBeMadeIsUnmapped() {
    assertEquals(OpenClResult.INVALID_VALUE, create(BYTES + 1));
    assertEquals(OpenClResult.INVALID_VALUE, create(-1));
    assertTrue(unmapped.isEmpty());
    int result = buffers.outboardCreateSharedBuffer(context, -1, BYTES, word.address());
    assertEquals(OpenClResult.INVALID_VALUE, result);
    assertEquals(List.of(memory.address()), unmapped);
  }

  @Test
  void whatIsNoSuchBufferIsRefused() {
    check(buffers.clCreateBuffer(context, READ_WRITE, BYTES, 0, word.address()));
    long other = made();
    assertEquals(
        OpenClResult.INVALID_VALUE,
        buffers.outboardMapShared(queue, other, MAP_READ, 0, 10, 0, 0, 0));
    assertEquals(OpenClResult.INVALID_VALUE, buffers.outboardUnmapShared(queue, other, 0, 0, 0, 0));
    check(buffers.clReleaseMemObject(other));
    check(create(BYTES));
    long shared = made();
    assertEquals(
        OpenClResult.INVALID_VALUE, buffers.outboardUnmapShared(queue, shared, BYTES, 0, 0, 0));
    assertEquals(
        OpenClResult.INVALID_VALUE, buffers.outboardUnmapShared(queue, shared, -1, 0, 0, 0));
    check(buffers.clReleaseMemObject(shared));
  }
}
