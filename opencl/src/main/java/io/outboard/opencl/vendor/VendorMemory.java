// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * Mappings and shared virtual memory of the host's library, which have addresses of this process:
 * no call brings them as they are.
 */
abstract class VendorMemory extends VendorExtensions {
  private static final long SVM_READ_WRITE = 1;

  VendorMemory(SymbolLookup library) {
    super(library);
  }

  /** Shared virtual memory at an address; 0 if there is none, or the host's library knows none. */
  public long svmAllocate(long context, long size, int alignment) {
    MethodHandle allocate = Handles.SVM_ALLOCATE;
    if (allocate == null) {
      return 0;
    }
    try {
      return (long) allocate.invokeExact(context, SVM_READ_WRITE, size, alignment);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  public void svmFree(long context, long address) {
    try {
      Handles.SVM_FREE.invokeExact(context, address);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** Only for what {@link #svmAllocate} has returned. */
  public int svmCopy(Place at, long to, long from, long size) {
    try {
      return (int)
          Handles.SVM_COPY.invokeExact(
              at.queue(), 0, to, from, size, at.waits(), at.waitList(), at.event());
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** Maps without waiting; where it lies is as the memory object was made. */
  public int map(Place at, long buffer, long flags, long offset, long size) {
    try (Arena arena = Arena.ofConfined()) {
      long status = arena.allocate(JAVA_INT).address();
      long unused =
          (long)
              Handles.MAP_BUFFER.invokeExact(
                  at.queue(),
                  buffer,
                  0,
                  flags,
                  offset,
                  size,
                  at.waits(),
                  at.waitList(),
                  at.event(),
                  status);
      return Native.getInt(status);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** The same for a box of an image, whose pitches are as it was made. */
  public int mapImage(Place at, long image, long flags, long origin, long region) {
    try (Arena arena = Arena.ofConfined()) {
      long pitches = arena.allocate(JAVA_LONG, 2).address();
      long status = arena.allocate(JAVA_INT).address();
      long unused =
          (long)
              Handles.MAP_IMAGE.invokeExact(
                  at.queue(),
                  image,
                  0,
                  flags,
                  origin,
                  region,
                  pitches,
                  pitches + Long.BYTES,
                  at.waits(),
                  at.waitList(),
                  at.event(),
                  status);
      return Native.getInt(status);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  public int unmap(Place at, long memory, long address) {
    try {
      return (int)
          Handles.UNMAP.invokeExact(
              at.queue(), memory, address, at.waits(), at.waitList(), at.event());
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** Counts one more owner of a queue. */
  public int retainQueue(long queue) {
    try {
      return (int) Handles.RETAIN_QUEUE.invokeExact(queue);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** A function of this process that is told of a memory object's end, with the object. */
  public int onEnd(long memory, long function) {
    try {
      return (int) Handles.ON_END.invokeExact(memory, function, 0L);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** Functions of version 1.2 and before, which every such library has, and of version 2.0. */
  private static final class Handles {
    static final MethodHandle MAP_BUFFER = making("clEnqueueMapBuffer", "ppipppipp");
    static final MethodHandle MAP_IMAGE = making("clEnqueueMapImage", "ppipppppipp");
    static final MethodHandle UNMAP =
        downcall("clEnqueueUnmapMemObject", FunctionDescriptor.of(JAVA_INT, layouts("pppipp")));
    static final MethodHandle RETAIN_QUEUE =
        downcall("clRetainCommandQueue", FunctionDescriptor.of(JAVA_INT, layouts("p")));
    static final MethodHandle ON_END =
        downcall(
            "clSetMemObjectDestructorCallback", FunctionDescriptor.of(JAVA_INT, layouts("ppp")));

    static final MethodHandle SVM_ALLOCATE =
        downcall(
            "clSVMAlloc",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
    static final MethodHandle SVM_FREE =
        downcall("clSVMFree", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
    static final MethodHandle SVM_COPY =
        downcall("clEnqueueSVMMemcpy", FunctionDescriptor.of(JAVA_INT, layouts("pipppipp")));
  }
}
