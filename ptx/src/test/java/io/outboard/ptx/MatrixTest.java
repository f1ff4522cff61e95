// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.ptx.host.Dim3;
import io.outboard.ptx.host.PtxTrap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Products of matrices by {@code wmma}; elements are small integers, so that every sum is exact.
 */
class MatrixTest {
  private static final int WIDTH = 16;
  private static final int STRIDE = 24;

  private final Device device = new Device(1 << 20);

  @AfterEach
  void close() {
    device.close();
  }

  private static String registers(String name, int count) {
    StringBuilder list = new StringBuilder("{");
    for (int k = 0; k < count; k++) {
      list.append(k == 0 ? "" : ", ").append(name).append(k);
    }
    return list.append("}").toString();
  }

  /** Multiplies with the whole warp; the types are those of the result and of the addend. */
  private static String kernel(String left, String right, String result, String addend) {
    String d = registers(result.equals("f32") ? "%x" : "%d", result.equals("f32") ? 8 : 4);
    String c = registers(addend.equals("f32") ? "%y" : "%c", addend.equals("f32") ? 8 : 4);
    return """
        .version 7.0
        .target sm_75
        .address_size 64
        .visible .entry test(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)
        {
        .reg .b64 %%pa, %%pb, %%pc, %%pd;
        .reg .b32 %%a<8>, %%b<8>, %%c<4>, %%d<4>;
        .reg .f32 %%x<8>, %%y<8>;
        .shared .align 16 .b8 tile[1024];
        ld.param.u64 %%pa, [a];
        ld.param.u64 %%pb, [b];
        ld.param.u64 %%pc, [c];
        ld.param.u64 %%pd, [d];
        wmma.load.a.sync.aligned.%1$s.m16n16k16.global.f16 %5$s, [%%pa], 24;
        wmma.load.b.sync.aligned.%2$s.m16n16k16.f16 %6$s, [%%pb], 24;
        wmma.load.c.sync.aligned.row.m16n16k16.global.%4$s %7$s, [%%pc], 24;
        wmma.mma.sync.aligned.%1$s.%2$s.m16n16k16.%3$s.%4$s %8$s, %5$s, %6$s, %7$s;
        wmma.store.d.sync.aligned.row.m16n16k16.shared.%3$s [tile], %8$s;
        bar.sync 0;
        wmma.load.c.sync.aligned.row.m16n16k16.shared.%3$s %8$s, [tile];
        wmma.store.d.sync.aligned.col.m16n16k16.global.%3$s [%%pd], %8$s, 24;
        ret;
        }
        """
        .formatted(left, right, result, addend, registers("%a", 8), registers("%b", 8), c, d);
  }

  /** The value of each element as it lies in memory, of halves or of floats. */
  private long matrix(int[][] values, boolean halves, boolean columns) {
    ByteBuffer bytes = ByteBuffer.allocate(WIDTH * STRIDE * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (int row = 0; row < WIDTH; row++) {
      for (int column = 0; column < WIDTH; column++) {
        int at = columns ? column * STRIDE + row : row * STRIDE + column;
        if (halves) {
          bytes.putShort(2 * at, Float.floatToFloat16(values[row][column]));
        } else {
          bytes.putFloat(4 * at, values[row][column]);
        }
      }
    }
    long address = device.allocate(bytes.capacity());
    device.store(address, bytes.array());
    return address;
  }

  private static int[][] random(Random random) {
    int[][] values = new int[WIDTH][WIDTH];
    for (int[] row : values) {
      for (int column = 0; column < WIDTH; column++) {
        row[column] = random.nextInt(15) - 7;
      }
    }
    return values;
  }

  private float read(long address, int row, int column, boolean halves) {
    int at = column * STRIDE + row;
    ByteBuffer bytes =
        ByteBuffer.wrap(device.bytes(address, WIDTH * STRIDE * 4)).order(ByteOrder.LITTLE_ENDIAN);
    return halves ? Float.float16ToFloat(bytes.getShort(2 * at)) : bytes.getFloat(4 * at);
  }

  @ParameterizedTest
  @CsvSource({
    "row, col, f32, f32",
    "row, row, f32, f32",
    "col, row, f32, f16",
    "col, col, f16, f32",
    "row, row, f16, f16"
  })
  void warpsMultiply(String left, String right, String result, String addend) throws PtxTrap {
    Random random = new Random(5);
    int[][] a = random(random);
    int[][] b = random(random);
    int[][] c = random(random);
    boolean halves = result.equals("f16");
    long to = device.allocate(WIDTH * STRIDE * 4);
    PtxKernel kernel = device.load(kernel(left, right, result, addend)).kernels().get("test");
    device.launch(
        kernel,
        Dim3.of(1),
        Dim3.of(32),
        0,
        matrix(a, true, left.equals("col")),
        matrix(b, true, right.equals("col")),
        matrix(c, addend.equals("f16"), false),
        to);
    for (int row = 0; row < WIDTH; row++) {
      for (int column = 0; column < WIDTH; column++) {
        float expected = c[row][column];
        for (int k = 0; k < WIDTH; k++) {
          expected += a[row][k] * b[k][column];
        }
        assertEquals(expected, read(to, row, column, halves), row + ", " + column);
      }
    }
  }

  @Test
  void aPartOfAWarpCannot() {
    PtxKernel kernel = device.load(kernel("row", "col", "f32", "f32")).kernels().get("test");
    long memory = device.allocate(4096);
    PtxTrap trap =
        assertThrows(
            PtxTrap.class,
            () ->
                device.launch(kernel, Dim3.of(1), Dim3.of(20), 0, memory, memory, memory, memory));
    assertEquals(PtxTrap.Kind.TRAP, trap.kind());
  }

  @Test
  void otherShapesAreRefused() {
    String wide = kernel("row", "col", "f32", "f32").replace("m16n16k16", "m32n8k16");
    PtxKernel kernel = PtxModule.parse(wide).kernels().values().iterator().next();
    assertTrue(kernel.missing().getFirst().what().startsWith("wmma"));
  }
}
