// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.AccessDescription;
import io.outboard.cuda.struct.AllocationProperties;
import io.outboard.wire.Native;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** A program that uses a driver: outputs, texts and parameters in memory of its own. */
public final class Program implements AutoCloseable {
  // CUmemAllocationType, CUmemLocationType, CUmemAccess_flags.
  private static final int PINNED = 1;
  private static final int ON_DEVICE = 1;
  private static final int READ_AND_WRITE = 3;

  /** Of a CUmemAccessDesc. */
  private static final int ACCESS_FLAGS = 8;

  private final CudaDriver driver;
  private final Arena arena = Arena.ofShared();
  private final ThreadLocal<Long> output =
      ThreadLocal.withInitial(() -> arena.allocate(64, 16).address());

  Program(CudaDriver driver) {
    this.driver = driver;
  }

  /** A program on device 0 with its primary context current. */
  public static Program onDevice(CudaDriver driver) {
    Program program = new Program(driver);
    ok(driver.cuInit(0));
    ok(driver.cuDevicePrimaryCtxRetain(program.out(), 0));
    ok(driver.cuCtxSetCurrent(program.value()));
    return program;
  }

  /** Fails unless a call succeeded. */
  public static void ok(int result) {
    assertEquals(CudaResult.SUCCESS, result);
  }

  /** Where a call may write an output of the calling thread. */
  public long out() {
    return output.get();
  }

  /** Place for a second output. */
  public long out2() {
    return out() + 8;
  }

  /** The 64-bit output of the last call. */
  public long value() {
    return Native.getLong(out());
  }

  /** The 32-bit output of the last call. */
  int intValue() {
    return Native.getInt(out());
  }

  /** Memory of the program. */
  long bytes(long count) {
    return arena.allocate(Math.max(1, count), 16).address();
  }

  /** A text that ends with NUL. */
  long text(String text) {
    return arena.allocateFrom(text).address();
  }

  /** Integers in memory of the program. */
  long ints(int... values) {
    return arena.allocateFrom(ValueLayout.JAVA_INT, values).address();
  }

  public long allocate(long count) {
    ok(driver.cuMemAlloc_v2(out(), count));
    return value();
  }

  /** Device memory that holds integers. */
  long array(int... values) {
    long device = allocate(4L * values.length);
    ok(driver.cuMemcpyHtoD_v2(device, ints(values), 4L * values.length));
    return device;
  }

  /** Integers of device memory. */
  int[] read(long device, int count) {
    long host = bytes(4L * count);
    ok(driver.cuMemcpyDtoH_v2(host, device, 4L * count));
    return Native.MEMORY.asSlice(host, 4L * count).toArray(ValueLayout.JAVA_INT_UNALIGNED);
  }

  /** A module of the test kernels. */
  long module() {
    return module(kernels());
  }

  /** A module of a PTX text. */
  long module(String ptx) {
    byte[] image = (ptx + "\0").getBytes(StandardCharsets.UTF_8);
    ok(driver.cuModuleLoadData(out(), image(image), image.length));
    return value();
  }

  /** Bytes in memory of the program. */
  long image(byte[] bytes) {
    return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes).address();
  }

  /** The PTX text of the test kernels. */
  static String kernels() {
    try (InputStream in = Program.class.getResourceAsStream("/kernels.ptx")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException missing) {
      throw new AssertionError(missing);
    }
  }

  long function(long module, String name) {
    ok(driver.cuModuleGetFunction(out(), module, text(name)));
    return value();
  }

  /** Memory of device 0 without an address. */
  long physical(long count) {
    long properties = bytes(AllocationProperties.BYTES);
    Native.putInt(properties, PINNED);
    Native.putInt(properties + AllocationProperties.LOCATION, ON_DEVICE);
    ok(driver.cuMemCreate(out(), count, properties, 0));
    return value();
  }

  /** Maps all of it for device 0; the address. */
  long mapped(long memory, long count) {
    ok(driver.cuMemAddressReserve(out(), count, 0, 0, 0));
    long address = value();
    ok(driver.cuMemMap(address, count, 0, memory, 0));
    long access = bytes(AccessDescription.BYTES);
    Native.putInt(access, ON_DEVICE);
    Native.putInt(access + ACCESS_FLAGS, READ_AND_WRITE);
    ok(driver.cuMemSetAccess(address, count, access, 1));
    return address;
  }

  long stream(int flags) {
    ok(driver.cuStreamCreate(out(), flags));
    return value();
  }

  long event(int flags) {
    ok(driver.cuEventCreate(out(), flags));
    return value();
  }

  /** Launches one thread. */
  int launchOne(long function, long stream, Object... arguments) {
    return launch(function, 1, 1, 0, stream, arguments);
  }

  /** Launches a line of blocks; arguments are packed by their Java types. */
  int launch(long function, int grid, int block, int shared, long stream, Object... arguments) {
    try (Arena packed = Arena.ofConfined()) {
      MemorySegment buffer = packed.allocate(256, 16);
      int length = pack(buffer, arguments);
      return driver.cuLaunchKernel(
          function, grid, 1, 1, block, 1, 1, shared, stream, buffer.address(), length);
    }
  }

  private static int pack(MemorySegment buffer, Object... arguments) {
    int length = 0;
    for (Object argument : arguments) {
      switch (argument) {
        case Long pointer -> {
          length = (length + 7) & -8;
          buffer.set(ValueLayout.JAVA_LONG, length, pointer);
          length += 8;
        }
        case Integer number -> {
          length = (length + 3) & -4;
          buffer.set(ValueLayout.JAVA_INT, length, number);
          length += 4;
        }
        default -> throw new IllegalArgumentException(argument.getClass().getName());
      }
    }
    return length;
  }

  @Override
  public void close() {
    arena.close();
  }
}
