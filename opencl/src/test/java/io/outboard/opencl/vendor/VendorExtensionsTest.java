// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import static io.outboard.opencl.HostDevice.check;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.opencl.HostDevice;
import io.outboard.opencl.OpenClDriverTable;
import io.outboard.opencl.OpenClResult;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Command buffers of a device of this machine; skipped where none has them. */
class VendorExtensionsTest {
  private static final long READ_WRITE = 1;
  private static final int CREATE_COMMAND_BUFFER = 218;
  private static final int SET_CONTENT_SIZE = 232;
  private static final int WAIT = 1;
  private static final String SOURCE =
      "__kernel void put(__global int *to, int what) { to[0] = what; }";

  private HostDevice device;
  private VendorOpenCl host;

  @BeforeEach
  void open() {
    device = new HostDevice();
    host = device.host;
    assumeTrue(
        ServedDevices.hasCommandBuffers(host, device.device.get(JAVA_LONG, 0)),
        "no command buffers");
  }

  @AfterEach
  void close() {
    if (device != null) {
      device.close();
    }
  }

  private long commandBuffer() {
    long queues = device.words(device.queue);
    check(host.clCreateCommandBufferKHR(1, queues, 0, 0, device.place()));
    return device.made();
  }

  private long kernel() {
    MemorySegment source = device.arena.allocateFrom(SOURCE);
    check(
        host.clCreateProgramWithSource(
            device.context, source.address(), source.byteSize() - 1, device.place()));
    long program = device.made();
    check(host.clBuildProgram(program, 1, device.device.address(), 0, 0, 0));
    check(host.clCreateKernel(program, device.arena.allocateFrom("put").address(), device.place()));
    check(host.clReleaseProgram(program));
    return device.made();
  }

  private void set(long kernel, int what) {
    check(host.clSetKernelArg(kernel, 1, Integer.BYTES, device.integer(what)));
  }

  @Test
  void theLibraryHasThemThoughItExportsNone() {
    assertTrue(host.has(CREATE_COMMAND_BUFFER));
    assertFalse(host.has(9999));
  }

  @Test
  void aKernelRunsWithTheArgumentsThatItHadWhenItWasRecorded() {
    check(host.clCreateBuffer(device.context, READ_WRITE, Integer.BYTES, 0, device.place()));
    long buffer = device.made();
    long kernel = kernel();
    long recorded = commandBuffer();
    long items = device.words(1);
    check(host.outboardSetKernelObject(kernel, 0, buffer));
    set(kernel, 7);
    check(host.clCommandNDRangeKernelKHR(recorded, 0, 0, 0, kernel, 1, 0, items, 0, 0, 0, 0, 0));
    set(kernel, 8);
    check(host.clReleaseKernel(kernel));
    check(host.clFinalizeCommandBufferKHR(recorded));
    check(host.clEnqueueCommandBufferKHR(0, 0, recorded, 0, 0, 0));
    MemorySegment got = device.arena.allocate(JAVA_INT);
    check(host.clEnqueueReadBuffer(device.queue, buffer, WAIT, 0, 4, got.address(), 0, 0, 0));
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
    check(host.clCreateBuffer(device.context, READ_WRITE, 1 << 16, 0, device.place()));
    long buffer = device.made();
    check(host.clCreateBuffer(device.context, READ_WRITE, Long.BYTES, 0, device.place()));
    long size = device.made();
    check(host.clSetContentSizeBufferPoCL(buffer, size));
    assertEquals(OpenClResult.INVALID_MEM_OBJECT, host.clSetContentSizeBufferPoCL(0, size));
    check(host.clReleaseMemObject(buffer));
    check(host.clReleaseMemObject(size));
  }

  @Test
  void withoutAQueueThereIsNone() {
    assertEquals(
        OpenClResult.INVALID_VALUE, host.clCreateCommandBufferKHR(1, 0, 0, 0, device.place()));
    assertEquals(
        OpenClResult.INVALID_VALUE,
        host.clCreateCommandBufferKHR(0, device.place(), 0, 0, device.place()));
  }
}
