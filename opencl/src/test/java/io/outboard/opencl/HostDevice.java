// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.opencl.vendor.VendorOpenCl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A device of this machine, with a context and a queue; tests that use it are skipped where none
 * is.
 */
public final class HostDevice implements AutoCloseable {
  private static final long ALL_DEVICES = 0xFFFFFFFFL;

  public final Arena arena = Arena.ofConfined();
  public final VendorOpenCl host = load();
  public final MemorySegment device;
  public final long context;
  public final long queue;

  private final MemorySegment word = arena.allocate(JAVA_LONG);

  public HostDevice() {
    assumeTrue(host != null, "this machine has no OpenCL");
    boolean platform = host.clGetPlatformIDs(1, place(), 0) == OpenClResult.SUCCESS;
    assumeTrue(platform, "this machine has no OpenCL platform");
    device =
        arena.allocateFrom(
            JAVA_LONG, made(host.clGetDeviceIDs(made(), ALL_DEVICES, 1, place(), 0)));
    context = made(host.clCreateContext(0, 1, device.address(), place()));
    queue = made(host.clCreateCommandQueue(context, device.get(JAVA_LONG, 0), 0, place()));
  }

  private static VendorOpenCl load() {
    try {
      return VendorOpenCl.load("libOpenCL.so.1");
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Where calls put what they make. */
  public long place() {
    return word.address();
  }

  /** Returns the object that the last call has put there. */
  public long made() {
    return word.get(JAVA_LONG, 0);
  }

  /** Checks a call's result, and returns the object that the call has put there. */
  public long made(int result) {
    check(result);
    return made();
  }

  /** The address of words in memory. */
  public long words(long... words) {
    return arena.allocateFrom(JAVA_LONG, words).address();
  }

  /** The address of an integer in memory. */
  public long integer(int value) {
    return arena.allocateFrom(JAVA_INT, value).address();
  }

  public static void check(int result) {
    assertEquals(OpenClResult.SUCCESS, result);
  }

  @Override
  public void close() {
    check(host.clReleaseCommandQueue(queue));
    check(host.clReleaseContext(context));
    arena.close();
  }
}
