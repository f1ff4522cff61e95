// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.vendor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/** The inputs of one link, and its image. */
final class VendorLink {
  private static final MethodHandle CREATE =
      VendorGraphs.bind("cuLinkCreate_v2", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle ADD =
      VendorGraphs.bind(
          "cuLinkAddData_v2",
          JAVA_LONG,
          JAVA_INT,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_LONG,
          JAVA_INT,
          JAVA_LONG,
          JAVA_LONG);
  private static final MethodHandle COMPLETE =
      VendorGraphs.bind("cuLinkComplete", JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle DESTROY = VendorGraphs.bind("cuLinkDestroy", JAVA_LONG);

  /** {@code CU_JIT_ERROR_LOG_BUFFER} and {@code CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES}. */
  private static final int[] LOG_OPTIONS = {5, 6};

  private static final int LOG_BYTES = 64 << 10;

  private final List<Input> inputs = new ArrayList<>();
  private byte[] image;
  private String log = "";

  private record Input(int type, byte[] bytes, String name) {}

  /** Whether the library has a linker. */
  static boolean isPossible() {
    return CREATE != null && ADD != null && COMPLETE != null && DESTROY != null;
  }

  synchronized void add(int type, byte[] bytes, String name) {
    inputs.add(new Input(type, bytes, name));
  }

  /** The image; null before it is complete. */
  synchronized byte[] image() {
    return image;
  }

  /** What the compiler said about the inputs when they were linked. */
  synchronized String log() {
    return log;
  }

  /** Links all inputs; the first result that is not success. */
  synchronized int complete() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment room = arena.allocate(3 * JAVA_LONG.byteSize(), 8);
      MemorySegment text = arena.allocate(LOG_BYTES);
      long options = arena.allocateFrom(JAVA_INT, LOG_OPTIONS).address();
      long values = arena.allocateFrom(JAVA_LONG, text.address(), LOG_BYTES - 1L).address();
      int count = LOG_OPTIONS.length;
      int result = (int) CREATE.invokeExact(count, options, values, room.address());
      if (result != CudaResult.SUCCESS) {
        return result;
      }
      long link = room.get(JAVA_LONG, 0);
      result = complete(link, arena, room.address() + 8);
      log = text.getString(0);
      int destroyed = (int) DESTROY.invokeExact(link);
      return result == CudaResult.SUCCESS ? destroyed : result;
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a native function does not throw", e);
    }
  }

  private int complete(long link, Arena arena, long output) throws Throwable {
    for (Input input : inputs) {
      long data = arena.allocateFrom(JAVA_BYTE, input.bytes).address();
      long name = arena.allocateFrom(input.name).address();
      long bytes = input.bytes.length;
      int result = (int) ADD.invokeExact(link, input.type, data, bytes, name, 0, 0L, 0L);
      if (result != CudaResult.SUCCESS) {
        return result;
      }
    }
    int result = (int) COMPLETE.invokeExact(link, output, output + 8);
    if (result == CudaResult.SUCCESS) {
      long size = Native.getLong(output + 8);
      image = Native.MEMORY.asSlice(Native.getLong(output), size).toArray(JAVA_BYTE);
    }
    return result;
  }
}
