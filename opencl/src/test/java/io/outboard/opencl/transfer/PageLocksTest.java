// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import static io.outboard.opencl.HostDevice.check;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.opencl.HostDevice;
import io.outboard.opencl.OpenClResult;
import io.outboard.opencl.vendor.VendorOpenCl;
import io.outboard.patience.Patience;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On the host's OpenCL device, whatever it gains by them. */
class PageLocksTest {
  private static final int CONTEXT_REFERENCE_COUNT = 0x1080;
  private static final int INVALID_BUFFER_SIZE = -61;
  private static final long READ_WRITE = 1;
  private static final int PART = 1 << 16;
  private static final int BYTES = 4 * PART;
  private static final int ENOUGH = 100;

  private HostDevice device;
  private MemorySegment memory;
  private PageLocks locks;
  private SharedBuffers buffers;

  @BeforeEach
  void open() {
    device = new HostDevice();
    memory = device.arena.allocate(BYTES, 4096);
    locks = new PageLocks(device.host, _ -> true);
    buffers = sharing(locks);
    check(buffers.outboardShareArea(BYTES));
  }

  @AfterEach
  void close() {
    if (device != null) {
      locks.end(device.context);
      device.close();
    }
  }

  private SharedBuffers sharing(PageLocks locks) {
    VendorOpenCl host = device.host;
    return new SharedBuffers(host, host, _ -> memory.address(), (_, _) -> {}, locks);
  }

  private long context() {
    return device.made(device.host.clCreateContext(0, 1, device.device.address(), device.place()));
  }

  private long queue(long context) {
    long id = device.device.get(JAVA_LONG, 0);
    return device.made(device.host.clCreateCommandQueue(context, id, 0, device.place()));
  }

  private int owners(long context) {
    MemorySegment count = device.arena.allocate(JAVA_INT);
    check(
        device.host.clGetContextInfo(
            context, CONTEXT_REFERENCE_COUNT, Integer.BYTES, count.address(), 0));
    return count.get(JAVA_INT, 0);
  }

  @Test
  void whatIsThereStays() {
    memory.fill((byte) 9);
    check(buffers.outboardLockArea(device.queue, PART, 2 * PART));
    check(buffers.clReleaseContext(nothingButLocks()));
    for (int i = 0; i < BYTES; i++) {
      assertEquals(9, memory.get(JAVA_BYTE, i));
    }
  }

  /** A context that has had its queue's locks. */
  private long nothingButLocks() {
    long context = context();
    long queue = queue(context);
    check(buffers.outboardLockArea(queue, 0, PART));
    check(buffers.clReleaseCommandQueue(queue));
    return context;
  }

  @Test
  void theDeviceReadsAndWritesLockedPages() {
    long buffer =
        device.made(buffers.clCreateBuffer(device.context, READ_WRITE, PART, 0, device.place()));
    memory.fill((byte) 5);
    check(buffers.outboardLockArea(device.queue, 0, BYTES));
    check(buffers.outboardWriteShared(device.queue, buffer, 0, PART, PART, 0, 0, 0));
    check(buffers.clFinish(device.queue));
    memory.fill((byte) 0);
    check(buffers.outboardReadShared(device.queue, buffer, 1, PART - 1, 2 * PART, 0, 0, 0));
    check(buffers.clFinish(device.queue));
    assertEquals(0, memory.get(JAVA_BYTE, 2 * PART - 1));
    assertEquals(5, memory.get(JAVA_BYTE, 2 * PART));
    assertEquals(5, memory.get(JAVA_BYTE, 3 * PART - 2));
    assertEquals(0, memory.get(JAVA_BYTE, 3 * PART - 1));
    check(buffers.clReleaseMemObject(buffer));
  }

  /** The one that is left is the queue's: with the queue the context ends. */
  @Test
  void aContextHasItsOwnersAloneOnceTheClientHasReleasedIt() throws InterruptedException {
    long context = context();
    long queue = queue(context);
    int before = owners(context);
    check(buffers.outboardLockArea(queue, 0, PART));
    check(buffers.outboardLockArea(queue, PART, PART));
    assertTrue(owners(context) > before, "the buffers are not the context's");
    check(buffers.clReleaseContext(context));
    // The host's library may still be at the end of the mappings.
    Patience.until("fewer owners", () -> owners(context) == before - 1);
    check(buffers.clReleaseCommandQueue(queue));
  }

  @Test
  void contextsComeAndGo() {
    for (int i = 0; i < ENOUGH; i++) {
      check(buffers.clReleaseContext(nothingButLocks()));
    }
    check(buffers.outboardLockArea(device.queue, 0, BYTES));
  }

  @Test
  void thereAreBounds() {
    int wrong = OpenClResult.INVALID_VALUE;
    assertEquals(wrong, buffers.outboardLockArea(device.queue, 0, 0));
    assertEquals(wrong, buffers.outboardLockArea(device.queue, 0, -1));
    assertEquals(wrong, buffers.outboardLockArea(device.queue, -1, PART));
    assertEquals(wrong, buffers.outboardLockArea(device.queue, 1, BYTES));
    assertEquals(wrong, buffers.outboardLockArea(device.queue, Long.MAX_VALUE, PART));
    assertEquals(wrong, buffers.outboardLockArea(device.queue, PART, Long.MAX_VALUE));
    assertEquals(wrong, sharing(locks).outboardLockArea(1, 0, 1));
    int result = OpenClResult.SUCCESS;
    int most = 0;
    while (result == OpenClResult.SUCCESS && most < ENOUGH) {
      result = buffers.outboardLockArea(device.queue, 0, PART);
      most++;
    }
    assertEquals(OpenClResult.INVALID_OPERATION, result);
  }

  @Test
  void whatGainsNothingIsNotLocked() {
    SharedBuffers others = sharing(new PageLocks(device.host, _ -> false));
    check(others.outboardShareArea(BYTES));
    int before = owners(device.context);
    assertEquals(OpenClResult.INVALID_OPERATION, others.outboardLockArea(device.queue, 0, PART));
    assertEquals(before, owners(device.context));
  }

  /** As what a device has not enough memory for. */
  @Test
  void whatTheLibraryRefusesLeavesNothing() {
    int before = owners(device.context);
    int result = locks.lock(device.queue, memory.address(), Long.MAX_VALUE);
    assertEquals(INVALID_BUFFER_SIZE, result);
    assertEquals(before, owners(device.context));
  }
}
