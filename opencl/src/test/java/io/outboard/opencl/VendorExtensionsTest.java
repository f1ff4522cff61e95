// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Command buffers of a device of this machine; skipped where none has them. */
class VendorExtensionsTest {
  private static final long ALL_DEVICES = 0xFFFFFFFFL;
  private static final long READ_WRITE = 1;
  private static final int CREATE_COMMAND_BUFFER = 218;
  private static final int SET_CONTENT_SIZE = 232;
  private static final int WAIT = 1;
  private static final String SOURCE =
      "__kernel void put(__global int *to, int what) { to[0] = what; }";

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment word = arena.allocate(JAVA_LONG);
  private VendorOpenCl host;
  private MemorySegment device;
  private long context;
  private long queue;

  @BeforeEach
  void open() {
    VendorOpenCl library = load();
    assumeTrue(library != null, "this machine has no OpenCL");
    boolean platform = library.clGetPlatformIDs(1, word.address(), 0) == OpenClResult.SUCCESS;
    assumeTrue(platform, "this machine has no OpenCL platform");
    check(library.clGetDeviceIDs(made(), ALL_DEVICES, 1, word.address(), 0));
    device = arena.allocateFrom(JAVA_LONG, made());
    assumeTrue(ServedDevices.hasCommandBuffers(library, made()), "no command buffers");
    host = library;
    check(host.clCreateContext(0, 1, device.address(), word.address()));
    context = made();
    check(host.clCreateCommandQueue(context, device.get(JAVA_LONG, 0), 0, word.address()));
    queue = made();
  }

  private static VendorOpenCl load() {
    try {
      return VendorOpenCl.load("libOpenCL.so.1");
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @AfterEach
  void close() {
    if (host != null) {
      check(host.clReleaseCommandQueue(queue));
      check(host.clReleaseContext(context));
    }
    arena.close();
  }

  private long made() {
    return word.get(JAVA_LONG, 0);
  }

  private static void check(int result) {
    assertEquals(OpenClResult.SUCCESS, result);
  }

  private long commandBuffer() {
    long queues = arena.allocateFrom(JAVA_LONG, queue).address();
    check(host.clCreateCommandBufferKHR(1, queues, 0, 0, word.address()));
    return made();
  }

  private long kernel() {
    MemorySegment source = arena.allocateFrom(SOURCE);
    check(
        host.clCreateProgramWithSource(
            context, source.address(), source.byteSize() - 1, word.address()));
    long program = made();
    check(host.clBuildProgram(program, 1, device.address(), 0, 0, 0));
    check(host.clCreateKernel(program, arena.allocateFrom("put").address(), word.address()));
    check(host.clReleaseProgram(program));
    return made();
  }

  private void set(long kernel, int what) {
    check(
        host.clSetKernelArg(
            kernel, 1, Integer.BYTES, arena.allocateFrom(JAVA_INT, what).address()));
  }

  @Test
  void theLibraryHasThemThoughItExportsNone() {
    assertTrue(host.has(CREATE_COMMAND_BUFFER));
    assertFalse(host.has(9999));
  }

  @Test
  void aKernelRunsWithTheArgumentsThatItHadWhenItWasRecorded() {
    check(host.clCreateBuffer(context, READ_WRITE, Integer.BYTES, 0, word.address()));
    long buffer = made();
    long kernel = kernel();
    long recorded = commandBuffer();
    long items = arena.allocateFrom(JAVA_LONG, 1).address();
    check(host.outboardSetKernelObject(kernel, 0, buffer));
    set(kernel, 7);
    check(host.clCommandNDRangeKernelKHR(recorded, 0, 0, 0, kernel, 1, 0, items, 0, 0, 0, 0, 0));
    set(kernel, 8);
    check(host.clReleaseKernel(kernel));
    check(host.clFinalizeCommandBufferKHR(recorded));
    check(host.clEnqueueCommandBufferKHR(0, 0, recorded, 0, 0, 0));
    MemorySegment got = arena.allocate(JAVA_INT);
    check(host.clEnqueueReadBuffer(queue, buffer, WAIT, 0, 4, got.address(), 0, 0, 0));
    assertEquals(7, got.get(JAVA_INT, 0));
    check(host.clReleaseCommandBufferKHR(recorded));
    check(host.clReleaseMemObject(buffer));
  }

  @Test
  void whatHasEndedIsNoCommandBuffer() {
    long ended = commandBuffer();
    check(host.clReleaseCommandBufferKHR(ended));
    assertEquals(OpenClResult.INVALID_COMMAND_BUFFER, host.clReleaseCommandBufferKHR(ended));
    assertEquals(OpenClDriverTable.NOT_SUPPORTED, host.clFinalizeCommandBufferKHR(ended));
  }

  @Test
  void theContentOfABufferMayBeSmaller() {
    assumeTrue(host.has(SET_CONTENT_SIZE), "no cl_pocl_content_size");
    check(host.clCreateBuffer(context, READ_WRITE, 1 << 16, 0, word.address()));
    long buffer = made();
    check(host.clCreateBuffer(context, READ_WRITE, Long.BYTES, 0, word.address()));
    long size = made();
    check(host.clSetContentSizeBufferPoCL(buffer, size));
    assertEquals(OpenClResult.INVALID_MEM_OBJECT, host.clSetContentSizeBufferPoCL(0, size));
    check(host.clReleaseMemObject(buffer));
    check(host.clReleaseMemObject(size));
  }

  @Test
  void withoutAQueueThereIsNone() {
    assertEquals(
        OpenClResult.INVALID_VALUE, host.clCreateCommandBufferKHR(1, 0, 0, 0, word.address()));
    assertEquals(
        OpenClResult.INVALID_VALUE,
        host.clCreateCommandBufferKHR(0, word.address(), 0, 0, word.address()));
  }
}
