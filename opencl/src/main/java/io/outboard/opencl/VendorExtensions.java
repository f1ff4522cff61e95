// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The functions of extensions: each platform of the host has its own, and it is the platform whose
 * object they are given that has to be called.
 */
abstract class VendorExtensions extends OpenClDriverNative {
  private static final int QUEUE_DEVICE = 0x1091;
  private static final int DEVICE_PLATFORM = 0x1031;
  private static final String CREATE = "clCreateCommandBufferKHR";
  private static final String RELEASE = "clReleaseCommandBufferKHR";

  private final Map<Named, MemorySegment> functions = new ConcurrentHashMap<>();
  private final Map<Long, Long> platforms = new ConcurrentHashMap<>();

  /** A function's name, and the platform that has it. */
  private record Named(long platform, String symbol) {}

  VendorExtensions(SymbolLookup library) {
    super(library);
  }

  @Override
  public boolean has(int number) {
    return super.has(number)
        || ServedDevices.all(this).stream()
            .anyMatch(platform -> function(platform, OpenClDriverTable.name(number)) != null);
  }

  /** Those that are called so are given a command buffer. */
  @Override
  protected MemorySegment extension(String symbol, long commandBuffer) {
    Long platform = platforms.get(commandBuffer);
    return platform == null ? null : function(platform, symbol);
  }

  /** Null if the platform has no such function. */
  private MemorySegment function(long platform, String symbol) {
    return functions.computeIfAbsent(new Named(platform, symbol), VendorExtensions::find);
  }

  private static MemorySegment find(Named wanted) {
    if (wanted.symbol() == null || Handles.FIND == null) {
      return null;
    }
    try (Arena arena = Arena.ofConfined()) {
      long name = arena.allocateFrom(wanted.symbol()).address();
      MemorySegment found = (MemorySegment) Handles.FIND.invokeExact(wanted.platform(), name);
      return found.address() == 0 ? null : found;
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  @Override
  public int clCreateCommandBufferKHR(
      int numQueues, long queues, long properties, int count, long made) {
    if (numQueues < 1 || queues == 0) {
      return OpenClResult.INVALID_VALUE;
    }
    try (Arena arena = Arena.ofConfined()) {
      long place = arena.allocate(JAVA_LONG).address();
      long platform = platformOf(Native.getLong(queues), place);
      MemorySegment create = platform == 0 ? null : function(platform, CREATE);
      if (create == null) {
        return OpenClDriverTable.NOT_SUPPORTED;
      }
      long status = arena.allocate(JAVA_INT).address();
      long buffer =
          (long) Handles.CREATE_BUFFER.invokeExact(create, numQueues, queues, properties, status);
      int result = Native.getInt(status);
      if (result == OpenClResult.SUCCESS && made != 0) {
        platforms.put(buffer, platform);
        Native.putLong(made, buffer);
      }
      return result;
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** The platform of a queue whose device has command buffers as they are described here, or 0. */
  private long platformOf(long queue, long place) {
    boolean known =
        clGetCommandQueueInfo(queue, QUEUE_DEVICE, Long.BYTES, place, 0) == OpenClResult.SUCCESS;
    long device = known ? Native.getLong(place) : 0;
    boolean served = known && ServedDevices.hasCommandBuffers(this, device);
    return served
            && clGetDeviceInfo(device, DEVICE_PLATFORM, Long.BYTES, place, 0)
                == OpenClResult.SUCCESS
        ? Native.getLong(place)
        : 0;
  }

  /** Forgets it first: once it has ended the library may have another one in its place. */
  @Override
  public int clReleaseCommandBufferKHR(long commandBuffer) {
    MemorySegment release = extension(RELEASE, commandBuffer);
    platforms.remove(commandBuffer);
    if (release == null) {
      return OpenClResult.INVALID_COMMAND_BUFFER;
    }
    try {
      return (int) Handles.RELEASE_BUFFER.invokeExact(release, commandBuffer);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /**
   * Records a copy of the kernel, so that arguments that are set later make no difference: PoCL 3.1
   * runs a recorded kernel with those that it has when it runs.
   */
  @Override
  public int clCommandNDRangeKernelKHR(
      long commandBuffer,
      long queue,
      long properties,
      int count,
      long kernel,
      int dimensions,
      long globalOffset,
      long globalSize,
      long localSize,
      int points,
      long pointList,
      long point,
      long command) {
    try (Arena arena = Arena.ofConfined()) {
      long place = arena.allocateFrom(JAVA_LONG, kernel).address();
      boolean copied = kernel != 0 && clCloneKernel(kernel, place) == OpenClResult.SUCCESS;
      long recorded = Native.getLong(place);
      int result =
          super.clCommandNDRangeKernelKHR(
              commandBuffer,
              queue,
              properties,
              count,
              recorded,
              dimensions,
              globalOffset,
              globalSize,
              localSize,
              points,
              pointList,
              point,
              command);
      int unused = copied ? clReleaseKernel(recorded) : 0;
      return result;
    }
  }

  static AssertionError thrown(Throwable e) {
    return new AssertionError("a native function does not throw", e);
  }

  private static final class Handles {
    static final MethodHandle FIND =
        downcall(
            "clGetExtensionFunctionAddressForPlatform",
            FunctionDescriptor.of(ADDRESS, JAVA_LONG, JAVA_LONG));
    static final MethodHandle CREATE_BUFFER =
        Linker.nativeLinker()
            .downcallHandle(
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    static final MethodHandle RELEASE_BUFFER =
        Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
  }
}
