// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import org.junit.jupiter.api.Test;

/** Tensor maps, which no kernel here reads, and attributes of nodes, which are hints to them. */
class TensorMapTest extends DriverTest {
  private static final int FLOAT = 7;
  private static final int BYTE = 0;

  /** An encoding of boxes of 4 × 1 elements out of 16 × 16. */
  private int encode(int type, long address, int stride, int step, int swizzle) {
    long sizes = program().bytes(64);
    Native.putLong(sizes, 16);
    Native.putLong(sizes + 8, 16);
    Native.putLong(sizes + 16, stride);
    Native.putInt(sizes + 24, 4);
    Native.putInt(sizes + 28, 1);
    Native.putInt(sizes + 32, step);
    Native.putInt(sizes + 36, 1);
    return driver()
        .cuTensorMapEncodeTiled(
            program().bytes(128),
            type,
            2,
            address,
            sizes,
            sizes + 16,
            sizes + 24,
            sizes + 32,
            0,
            swizzle,
            0,
            0);
  }

  @Test
  void whatNoDeviceTakesIsInvalidAndTheRestIsDescribed() {
    assertEquals(CudaResult.SUCCESS, encode(FLOAT, 0x1000, 64, 1, 0));
    assertEquals(CudaResult.SUCCESS, encode(FLOAT, 0, 0, 8, 6));
    assertEquals(CudaResult.INVALID_VALUE, encode(BYTE, 0x1000, 64, 1, 0), "four bytes a row");
    assertEquals(CudaResult.INVALID_VALUE, encode(FLOAT, 0x1001, 64, 1, 0));
    assertEquals(CudaResult.INVALID_VALUE, encode(FLOAT, 0x1000, 60, 1, 0));
    assertEquals(CudaResult.INVALID_VALUE, encode(FLOAT, 0x1000, 64, 0, 0));
    assertEquals(CudaResult.INVALID_VALUE, encode(FLOAT, 0x1000, 64, 9, 0));
    assertEquals(CudaResult.INVALID_VALUE, encode(FLOAT, 0x1000, 64, 1, 7));
    assertEquals(CudaResult.INVALID_VALUE, encode(16, 0x1000, 64, 1, 0));
    long map = program().bytes(128);
    assertEquals(CudaResult.SUCCESS, driver().cuTensorMapReplaceAddress(map, 0x20));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuTensorMapReplaceAddress(map, 0x21));
  }

  @Test
  void linearTexturesAreAsWideAsTheDeviceSays() {
    long width = program().bytes(8);
    ok(driver().cuDeviceGetTexture1DLinearMaxWidth(width, 0x20, 4, 0));
    assertEquals(1L << 28, Native.getLong(width));
    assertEquals(
        CudaResult.INVALID_VALUE, driver().cuDeviceGetTexture1DLinearMaxWidth(width, 4, 4, 0));
    assertEquals(
        CudaResult.INVALID_VALUE, driver().cuDeviceGetTexture1DLinearMaxWidth(width, 0x20, 3, 0));
  }
}
