// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.outboard.opencl.OpenClDriverNative;
import io.outboard.opencl.OpenClDriverTable;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The functions of extensions: each platform of the host has its own, and it is the platform whose
 * object they are given that has to be called.
 */
public abstract class VendorExtensions extends OpenClDriverNative {
  private static final int QUEUE_DEVICE = 0x1091;
  private static final int CONTEXT_DEVICES = 0x1081;
  private static final int MEM_CONTEXT = 0x1106;
  private static final int DEVICE_PLATFORM = 0x1031;
  private static final String CREATE = "clCreateCommandBufferKHR";
  private static final String RELEASE = "clReleaseCommandBufferKHR";
  private static final String SET_CONTENT_SIZE = "clSetContentSizeBufferPoCL";

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
    long platform = platformOfQueue(Native.getLong(queues));
    MemorySegment create = platform == 0 ? null : function(platform, CREATE);
    if (create == null) {
      return OpenClDriverTable.NOT_SUPPORTED;
    }
    try (Arena arena = Arena.ofConfined()) {
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
  private long platformOfQueue(long queue) {
    long device =
        word(
            QUEUE_DEVICE,
            (name, size, value, ret) -> clGetCommandQueueInfo(queue, name, size, value, ret));
    return device != 0 && ServedDevices.hasCommandBuffers(this, device) ? platformOf(device) : 0;
  }

  private long platformOfMemory(long memory) {
    long context =
        word(
            MEM_CONTEXT,
            (name, size, value, ret) -> clGetMemObjectInfo(memory, name, size, value, ret));
    long device =
        word(
            CONTEXT_DEVICES,
            (name, size, value, ret) -> clGetContextInfo(context, name, size, value, ret));
    return platformOf(device);
  }

  private long platformOf(long device) {
    return word(
        DEVICE_PLATFORM,
        (name, size, value, ret) -> clGetDeviceInfo(device, name, size, value, ret));
  }

  /** The first word of an answer, of a shorter one all; 0 if there is none, as for no object. */
  public static long word(int name, ServedDevices.Question question) {
    byte[] answer = ServedDevices.answer(name, question);
    return answer == null
        ? 0
        : ByteBuffer.wrap(Arrays.copyOf(answer, Long.BYTES)).order(LITTLE_ENDIAN).getLong();
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

  @Override
  public int clSetContentSizeBufferPoCL(long buffer, long contentSize) {
    long platform = platformOfMemory(buffer);
    MemorySegment set = platform == 0 ? null : function(platform, SET_CONTENT_SIZE);
    if (set == null) {
      return platform == 0 ? OpenClResult.INVALID_MEM_OBJECT : OpenClDriverTable.NOT_SUPPORTED;
    }
    try {
      return (int) Handles.SET_CONTENT_SIZE.invokeExact(set, buffer, contentSize);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** The handle of a function that returns what it makes, and writes its result. */
  static MethodHandle making(String symbol, String parameters) {
    return downcall(symbol, FunctionDescriptor.of(JAVA_LONG, layouts(parameters + "p")));
  }

  /** Pointers (p) and integers of 32 bits (i). */
  static MemoryLayout[] layouts(String parameters) {
    MemoryLayout[] layouts = new MemoryLayout[parameters.length()];
    Arrays.setAll(layouts, i -> parameters.charAt(i) == 'i' ? JAVA_INT : JAVA_LONG);
    return layouts;
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
    static final MethodHandle SET_CONTENT_SIZE =
        Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  }
}
