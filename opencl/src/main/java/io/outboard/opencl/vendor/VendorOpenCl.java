// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The host's {@code libOpenCL.so.1}: the generated binding, and by hand the calls whose shape on
 * the wire differs from the vendor's function.
 */
public final class VendorOpenCl extends VendorMemory {
  private static final int BLOCKING = 1;
  private static final long CONTEXT_PLATFORM = 0x1084;
  private static final int PROGRAM_DEVICES = 0x1163;

  /** CL_PROFILING_COMMAND_QUEUED to CL_PROFILING_COMMAND_COMPLETE. */
  private static final int FIRST_TIME = 0x1280;

  private static final int TIMES = 5;
  private static final int PROGRAM_BINARY_SIZES = 0x1165;
  private static final int PROGRAM_BINARIES = 0x1166;

  private VendorOpenCl(SymbolLookup library) {
    super(library);
  }

  /**
   * Loads the host's library.
   *
   * @throws IllegalArgumentException if it cannot be loaded
   */
  public static VendorOpenCl load(String library) {
    return new VendorOpenCl(lookup(library));
  }

  @Override
  public int clCreateContext(long platform, int numDevices, long devices, long made) {
    return createContext(platform, numDevices, devices, 0, 0, made);
  }

  /** With a function of this process that the library tells of errors, 0 for none. */
  int createContext(
      long platform, int numDevices, long devices, long notify, long data, long made) {
    try (Arena arena = Arena.ofConfined()) {
      long properties =
          platform == 0
              ? 0
              : arena.allocateFrom(JAVA_LONG, CONTEXT_PLATFORM, platform, 0).address();
      long status = arena.allocate(JAVA_INT).address();
      long context =
          (long)
              Handles.CREATE_CONTEXT.invokeExact(
                  properties, numDevices, devices, notify, data, status);
      return made(status, context, made);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  @Override
  public int clCreateProgramWithSource(long context, long text, long bytes, long made) {
    try (Arena arena = Arena.ofConfined()) {
      // A length of 0 means that the text ends with NUL, which does not travel.
      long ended = bytes == 0 ? arena.allocate(1).address() : text;
      long texts = arena.allocateFrom(JAVA_LONG, ended).address();
      long lengths = arena.allocateFrom(JAVA_LONG, bytes).address();
      long status = arena.allocate(JAVA_INT).address();
      long program =
          (long) Handles.CREATE_WITH_SOURCE.invokeExact(context, 1, texts, lengths, status);
      return made(status, program, made);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  @Override
  public int clCreateProgramWithBinary(
      long context,
      int numDevices,
      long devices,
      long lengths,
      long binaries,
      long bytes,
      long statuses,
      long made) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pointers = arena.allocate(JAVA_LONG, Math.max(0, numDevices));
      if (!divide(pointers, lengths, binaries, bytes)) {
        return OpenClResult.INVALID_VALUE;
      }
      long status = arena.allocate(JAVA_INT).address();
      long program =
          (long)
              Handles.CREATE_WITH_BINARY.invokeExact(
                  context, numDevices, devices, lengths, pointers.address(), statuses, status);
      return made(status, program, made);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** Where each of the parts that lie one after the other begins; false if they are longer. */
  private static boolean divide(MemorySegment pointers, long lengths, long parts, long bytes) {
    long left = bytes;
    for (long i = 0; i < pointers.byteSize() / Long.BYTES; i++) {
      long length = lengths == 0 ? 0 : Native.getLong(lengths + Long.BYTES * i);
      if (length < 0 || length > left) {
        return false;
      }
      pointers.setAtIndex(JAVA_LONG, i, length == 0 ? 0 : parts + bytes - left);
      left -= length;
    }
    return true;
  }

  @Override
  public int clCompileProgram(
      long program,
      int numDevices,
      long devices,
      long options,
      int numHeaders,
      long headers,
      long names,
      long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pointers = arena.allocate(JAVA_LONG, Math.max(0, numHeaders));
      if (!texts(pointers, names, bytes)) {
        return OpenClResult.INVALID_VALUE;
      }
      long list = numHeaders == 0 ? 0 : pointers.address();
      return (int)
          Handles.COMPILE.invokeExact(
              program, numDevices, devices, options, numHeaders, headers, list, 0L, 0L);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** Where each of the texts that lie one after the other begins; false if there are fewer. */
  private static boolean texts(MemorySegment pointers, long texts, long bytes) {
    long at = 0;
    for (long i = 0; i < pointers.byteSize() / Long.BYTES; i++) {
      pointers.setAtIndex(JAVA_LONG, i, texts + at);
      while (at < bytes && Native.getByte(texts + at) != 0) {
        at++;
      }
      if (at >= bytes) {
        return false;
      }
      at++;
    }
    return true;
  }

  /** The library writes as much as the binaries have, whatever a client says. */
  private boolean areLengths(Arena arena, long program, int count, long lengths) {
    MemorySegment own = arena.allocate(JAVA_LONG, Math.max(0, count));
    boolean known =
        clGetProgramInfo(program, PROGRAM_BINARY_SIZES, own.byteSize(), own.address(), 0)
            == OpenClResult.SUCCESS;
    for (int i = 0; known && i < count; i++) {
      long said = lengths == 0 ? 0 : Native.getLong(lengths + (long) Long.BYTES * i);
      known = said == own.getAtIndex(JAVA_LONG, i);
    }
    return known;
  }

  @Override
  public int outboardProgramBinaries(
      long program, int count, long lengths, long binaries, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pointers = arena.allocate(JAVA_LONG, Math.max(0, count));
      if (binaries == 0
          || !divide(pointers, lengths, binaries, bytes)
          || !areLengths(arena, program, count, lengths)) {
        return OpenClResult.INVALID_VALUE;
      }
      return clGetProgramInfo(
          program, PROGRAM_BINARIES, pointers.byteSize(), pointers.address(), 0);
    }
  }

  @Override
  public int outboardProgramDevices(long program, int count, long devices) {
    return count < 0 || devices == 0
        ? OpenClResult.INVALID_VALUE
        : clGetProgramInfo(program, PROGRAM_DEVICES, (long) Long.BYTES * count, devices, 0);
  }

  @Override
  public int outboardCreateKernel(long program, long name, long made) {
    return clCreateKernel(program, name, made);
  }

  @Override
  public int outboardSetKernelObject(long kernel, int index, long object) {
    try (Arena arena = Arena.ofConfined()) {
      long value = arena.allocateFrom(JAVA_LONG, object).address();
      return clSetKernelArg(kernel, index, Long.BYTES, value);
    }
  }

  /** The client runs the program's function: the library is told of one that does nothing. */
  @Override
  public int clSetProgramReleaseCallback(long program) {
    MethodHandle register = Handles.ON_PROGRAM_END;
    if (register == null) {
      return OpenClResult.INVALID_OPERATION;
    }
    try {
      return (int) register.invokeExact(program, Nothing.FUNCTION, 0L);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  @Override
  public int outboardWaitTimed(long event, long times) {
    int result;
    try (Arena arena = Arena.ofConfined()) {
      result = clWaitForEvents(1, arena.allocateFrom(JAVA_LONG, event).address());
    }
    for (int i = 0; result == OpenClResult.SUCCESS && i < TIMES; i++) {
      int unused =
          clGetEventProfilingInfo(
              event, FIRST_TIME + i, Long.BYTES, times + (long) Long.BYTES * i, 0);
    }
    return result;
  }

  @Override
  public int outboardRead(
      long queue, long buffer, long offset, long size, long data, int waits, long waitList) {
    return clEnqueueReadBuffer(queue, buffer, BLOCKING, offset, size, data, waits, waitList, 0);
  }

  /** Reads land only where {@code LandedTransfers} has them do so. */
  @Override
  public int outboardLand(long landing, int waits, long offset, long data, long bytes, long total) {
    return OpenClResult.INVALID_OPERATION;
  }

  @Override
  public int clRetainEvent(long event) {
    try {
      return (int) Handles.RETAIN_EVENT.invokeExact(event);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  private static int made(long status, long value, long made) {
    int result = Native.getInt(status);
    if (result == OpenClResult.SUCCESS && made != 0) {
      Native.putLong(made, value);
    }
    return result;
  }

  /** A function for the library to call that does nothing. */
  private static final class Nothing {
    static final long FUNCTION =
        Linker.nativeLinker()
            .upcallStub(
                MethodHandles.empty(MethodType.methodType(void.class, long.class, long.class)),
                FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG),
                Arena.global())
            .address();
  }

  /** Functions of version 1.2 and before, which every such library has, and of later ones. */
  private static final class Handles {
    static final MethodHandle CREATE_CONTEXT = making("clCreateContext", "pippp");
    static final MethodHandle CREATE_WITH_SOURCE = making("clCreateProgramWithSource", "pipp");
    static final MethodHandle CREATE_WITH_BINARY = making("clCreateProgramWithBinary", "pipppp");
    static final MethodHandle COMPILE =
        downcall("clCompileProgram", FunctionDescriptor.of(JAVA_INT, layouts("pippipppp")));
    static final MethodHandle RETAIN_EVENT =
        downcall("clRetainEvent", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    static final MethodHandle ON_PROGRAM_END =
        downcall("clSetProgramReleaseCallback", FunctionDescriptor.of(JAVA_INT, layouts("ppp")));
  }
}
