// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.graphics;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.gl.vendor.GlObjects;
import io.outboard.wire.Native;
import java.util.Optional;

/** A buffer of OpenGL. */
final class CopiedBuffer extends CopiedObject {
  /** Most bytes on their way at once. */
  private static final long STEP = 4 << 20;

  private final int buffer;
  private final long bytes;
  private long memory;

  private CopiedBuffer(CudaDriver driver, GlObjects objects, int buffer, long bytes) {
    super(driver, objects);
    this.buffer = buffer;
    this.bytes = bytes;
  }

  /** One that has bytes. */
  static Optional<CopiedBuffer> of(CudaDriver driver, GlObjects objects, int buffer) {
    long bytes = objects.bufferBytes(buffer);
    return bytes > 0
        ? Optional.of(new CopiedBuffer(driver, objects, buffer, bytes))
        : Optional.empty();
  }

  @Override
  int allocate() {
    if (objects.bufferBytes(buffer) != bytes) {
      return CudaResult.MAP_FAILED;
    }
    memory = memory != 0 ? memory : made(place -> driver.cuMemAlloc_v2(place, bytes));
    return memory != 0 ? CudaResult.SUCCESS : CudaResult.MAP_FAILED;
  }

  @Override
  int read() {
    return inSteps(
        (offset, staged, step) -> {
          objects.readBuffer(buffer, offset, staged, step);
          return driver.cuMemcpyHtoD_v2(memory + offset, staged, step);
        });
  }

  @Override
  int write() {
    return inSteps(
        (offset, staged, step) -> {
          int result = driver.cuMemcpyDtoH_v2(staged, memory + offset, step);
          if (result == CudaResult.SUCCESS) {
            objects.writeBuffer(buffer, offset, staged, step);
          }
          return result;
        });
  }

  private interface Copy {
    int of(long offset, long staged, long step);
  }

  private int inSteps(Copy copy) {
    try (NativeBuffer staged = new NativeBuffer(Math.min(STEP, bytes))) {
      int result = CudaResult.SUCCESS;
      for (long at = 0; at < bytes && result == CudaResult.SUCCESS; at += STEP) {
        result = copy.of(at, staged.address(), Math.min(STEP, bytes - at));
      }
      return result;
    }
  }

  @Override
  int end() {
    return memory == 0 ? CudaResult.SUCCESS : driver.cuMemFree_v2(memory);
  }

  @Override
  int pointer(long pointer, long length) {
    if (!isMapped()) {
      return CudaResult.NOT_MAPPED;
    }
    Native.putLong(pointer, memory);
    Native.putLong(length, bytes);
    return CudaResult.SUCCESS;
  }
}
