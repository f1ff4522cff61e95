// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import io.outboard.cuda.CudaDriver;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.function.LongToIntFunction;

/** A program that uses a device through any client. Its memory lasts as long as the process. */
final class DriverProgram {
  private static final int PARAMETERS = 64;

  private final DriverClient.Opened client;
  private final long context;

  /** Has the device's context current to the calling thread. */
  DriverProgram(DriverClient client, int device) throws IOException {
    this.client = client.open();
    ok(driver().cuInit(0));
    context = made(at -> driver().cuDevicePrimaryCtxRetain(at, device));
    enter();
  }

  CudaDriver driver() {
    return client.driver();
  }

  /** Makes the context current to the calling thread. */
  void enter() {
    client.enter().accept(context);
  }

  /** Fails unless a call succeeded. */
  static void ok(int result) {
    equal(0, result);
  }

  static void equal(long expected, long actual) {
    if (expected != actual) {
      throw new AssertionError(actual + " and not " + expected);
    }
  }

  /** Memory of the program. */
  static MemorySegment memory(long bytes) {
    return Arena.global().allocate(bytes, Long.BYTES);
  }

  /** The word that a call writes to the address that it is given. */
  static long made(LongToIntFunction call) {
    MemorySegment word = memory(Long.BYTES);
    ok(call.applyAsInt(word.address()));
    return word.get(ValueLayout.JAVA_LONG, 0);
  }

  /** Memory of the device. */
  long allocate(long bytes) {
    return made(at -> driver().cuMemAlloc_v2(at, bytes));
  }

  /** Memory of the device with the same bytes. */
  long copyOf(MemorySegment from) {
    long memory = allocate(from.byteSize());
    ok(driver().cuMemcpyHtoD_v2(memory, from.address(), from.byteSize()));
    return memory;
  }

  /** The bytes of memory of the device. */
  MemorySegment read(long from, long bytes) {
    MemorySegment to = memory(bytes);
    ok(driver().cuMemcpyDtoH_v2(to.address(), from, bytes));
    return to;
  }

  /** A kernel of PTX text. */
  long kernel(String ptx, String name) {
    MemorySegment image = text(ptx);
    long module = made(at -> driver().cuModuleLoadData(at, image.address(), image.byteSize()));
    return made(at -> driver().cuModuleGetFunction(at, module, text(name).address()));
  }

  private static MemorySegment text(String text) {
    return Arena.global().allocateFrom(text, StandardCharsets.UTF_8);
  }

  /** Of blocks and threads in two dimensions, with numbers of 4 and 8 bytes. */
  record Shape(int across, int down, int threadsAcross, int threadsDown) {}

  void launch(long kernel, Shape shape, long stream, Number... arguments) {
    MemorySegment packed = memory(PARAMETERS);
    int bytes = 0;
    for (Number argument : arguments) {
      boolean wide = argument instanceof Long;
      int size = wide ? Long.BYTES : Integer.BYTES;
      bytes = Math.ceilDiv(bytes, size) * size;
      if (wide) {
        packed.set(ValueLayout.JAVA_LONG, bytes, argument.longValue());
      } else {
        packed.set(ValueLayout.JAVA_INT, bytes, argument.intValue());
      }
      bytes += size;
    }
    ok(
        driver()
            .cuLaunchKernel(
                kernel,
                shape.across(),
                shape.down(),
                1,
                shape.threadsAcross(),
                shape.threadsDown(),
                1,
                0,
                stream,
                packed.address(),
                bytes));
  }
}
