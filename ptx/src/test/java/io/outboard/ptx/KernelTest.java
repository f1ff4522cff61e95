// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.ptx.host.Dim3;
import io.outboard.ptx.host.PtxParameter;
import io.outboard.ptx.host.PtxTrap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Kernels compiled by clang against results computed in Java. */
class KernelTest {
  private static final String CLANG = Device.resource("/kernels/basic.ptx");

  @Test
  void vectorAdd() throws PtxTrap {
    int n = 1000;
    float[] a = new float[n];
    float[] b = new float[n];
    float[] expected = new float[n];
    for (int i = 0; i < n; i++) {
      a[i] = i * 0.5f;
      b[i] = 1000 - i;
      expected[i] = a[i] + b[i];
    }
    try (Device device = new Device(1 << 20)) {
      long c = device.allocate(4L * n);
      PtxKernel kernel = device.load(CLANG).kernels().get("vectorAdd");
      device.launch(kernel, Dim3.of(4), Dim3.of(256), 0, device.floats(a), device.floats(b), c, n);
      assertArrayEquals(expected, device.floats(c, n));
    }
  }

  @Test
  void matrixMultiply() throws PtxTrap {
    int n = 64;
    float[] a = new float[n * n];
    float[] b = new float[n * n];
    for (int i = 0; i < n * n; i++) {
      a[i] = i % 7;
      b[i] = i % 5 - 2;
    }
    try (Device device = new Device(1 << 20)) {
      long c = device.allocate(4L * n * n);
      PtxKernel kernel = device.load(CLANG).kernels().get("matrixMul");
      assertEquals(2048, kernel.sharedBytes());
      device.launch(
          kernel,
          Dim3.of(n / 16, n / 16),
          Dim3.of(16, 16),
          0,
          c,
          device.floats(a),
          device.floats(b),
          n);
      assertArrayEquals(product(a, b, n), device.floats(c, n * n));
    }
  }

  private static float[] product(float[] a, float[] b, int n) {
    float[] c = new float[n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
          c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
      }
    }
    return c;
  }

  private static final String SAMPLES = Device.resource("/kernels/samples.ptx");

  private static int[] randomWords(int count) {
    return new Random(7).ints(count).toArray();
  }

  private static int[] histogram(int[] words, int bins) {
    int[] counts = new int[bins];
    for (int word : words) {
      for (int shift = 0; shift < 32; shift += 8) {
        int value = (word >>> shift) & 255;
        counts[bins == 64 ? value >> 2 : value]++;
      }
    }
    return counts;
  }

  @Test
  void histogramOfBytesInSharedMemory() throws PtxTrap {
    int[] words = randomWords(10_000);
    try (Device device = new Device(1 << 20)) {
      long partial = device.allocate(4L * 64 * 10);
      PtxKernel kernel = device.load(SAMPLES).kernels().get("histogram64");
      device.launch(kernel, Dim3.of(10), Dim3.of(64), 0, partial, device.ints(words), words.length);
      int[] sums = new int[64];
      int[] found = device.ints(partial, 640);
      for (int i = 0; i < found.length; i++) {
        sums[i % 64] += found[i];
      }
      assertArrayEquals(histogram(words, 64), sums);
    }
  }

  @Test
  void histogramWithAtomics() throws PtxTrap {
    int[] words = randomWords(10_000);
    try (Device device = new Device(1 << 20)) {
      long bins = device.allocate(1024);
      PtxKernel kernel = device.load(SAMPLES).kernels().get("histogram256");
      device.launch(kernel, Dim3.of(8), Dim3.of(256), 0, bins, device.ints(words), words.length);
      assertArrayEquals(histogram(words, 256), device.ints(bins, 256));
    }
  }

  @Test
  void reductionWithShuffles() throws PtxTrap {
    int n = 5000;
    float[] in = new float[n];
    for (int i = 0; i < n; i++) {
      in[i] = i % 10;
    }
    try (Device device = new Device(1 << 20)) {
      long out = device.allocate(4);
      PtxKernel kernel = device.load(SAMPLES).kernels().get("reduceShuffle");
      device.launch(kernel, Dim3.of(6), Dim3.of(192), 0, device.floats(in), out, n);
      assertEquals(22_500f, device.floats(out, 1)[0]);
    }
  }

  @Test
  void scalarProducts() throws PtxTrap {
    int vectors = 7;
    int length = 300;
    float[] a = new float[vectors * length];
    float[] b = new float[vectors * length];
    float[] expected = new float[vectors];
    for (int i = 0; i < a.length; i++) {
      a[i] = i % 5;
      b[i] = i % 3;
      expected[i / length] += a[i] * b[i];
    }
    try (Device device = new Device(1 << 20)) {
      long c = device.allocate(4L * vectors);
      PtxKernel kernel = device.load(SAMPLES).kernels().get("scalarProd");
      device.launch(
          kernel,
          Dim3.of(3),
          Dim3.of(128),
          0,
          c,
          device.floats(a),
          device.floats(b),
          vectors,
          length);
      assertArrayEquals(expected, device.floats(c, vectors));
    }
  }

  @Test
  void transpose() throws PtxTrap {
    int width = 40;
    int height = 25;
    float[] in = new float[width * height];
    float[] expected = new float[width * height];
    for (int i = 0; i < in.length; i++) {
      in[i] = i;
      expected[i % width * height + i / width] = i;
    }
    try (Device device = new Device(1 << 20)) {
      long out = device.allocate(4L * in.length);
      PtxKernel kernel = device.load(SAMPLES).kernels().get("transpose");
      device.launch(
          kernel, Dim3.of(3, 2), Dim3.of(16, 16), 0, out, device.floats(in), width, height);
      assertArrayEquals(expected, device.floats(out, in.length));
    }
  }

  @Test
  void saxpy() throws PtxTrap {
    float[] x = {1, 2, 3, 4, 5};
    float[] y = {10, 20, 30, 40, 50};
    try (Device device = new Device(1 << 20)) {
      long into = device.floats(y);
      PtxKernel kernel = device.load(SAMPLES).kernels().get("saxpy");
      device.launch(kernel, Dim3.of(2), Dim3.of(2), 0, 5, 0.5f, device.floats(x), into);
      assertArrayEquals(new float[] {10.5f, 21, 31.5f, 42, 52.5f}, device.floats(into, 5));
    }
  }

  @Test
  void parametersLieAsInC() throws PtxTrap {
    try (Device device = new Device(1 << 20)) {
      PtxKernel kernel = device.load(SAMPLES).kernels().get("parameters");
      assertEquals(
          List.of(
              new PtxParameter(0, 8, 8), new PtxParameter(8, 48, 8), new PtxParameter(56, 2, 2)),
          kernel.parameters());
      assertEquals(58, kernel.parameterBytes());
      long out = device.allocate(32);
      ByteBuffer buffer = ByteBuffer.allocate(58).order(ByteOrder.LITTLE_ENDIAN);
      buffer.putLong(0, out).put(8, (byte) -3).putInt(48, 1000).putShort(56, (short) 10);
      for (int i = 0; i < 4; i++) {
        buffer.putDouble(16 + 8 * i, i + 0.5);
      }
      device.launch(kernel, Dim3.of(1), Dim3.of(8), 0, buffer.array());
      int[] expected = new int[8];
      for (int i = 0; i < 8; i++) {
        expected[i] = (int) ((i + 10) * ((i & 3) + 0.5)) + 997;
      }
      assertArrayEquals(expected, device.ints(out, 8));
    }
  }

  @Test
  void dynamicSharedMemory() throws PtxTrap {
    try (Device device = new Device(1 << 20)) {
      long data = device.ints(1, 2, 3, 4, 5);
      device.launch(
          device.load(SAMPLES).kernels().get("reverse"), Dim3.of(1), Dim3.of(5), 20, data);
      assertArrayEquals(new int[] {5, 4, 3, 2, 1}, device.ints(data, 5));
    }
  }

  @Test
  void dynamicSharedMemoryFollowsTheStatic() throws PtxTrap {
    String text =
        Source.kernel(
            ".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 fixed[4];",
            """
            st.shared.u32 [fixed], 5;
            st.shared.u32 [dynamic+4], 7;
            ld.shared.u32 %r1, [fixed];
            ld.shared.u32 %r2, [dynamic+4];
            mad.lo.u32 %r1, %r1, 10, %r2;
            st.global.u32 [%my], %r1;
            """);
    try (Device device = new Device(1 << 16)) {
      long out = device.allocate(4);
      PtxKernel kernel = device.load(text).kernels().get("test");
      device.launch(kernel, Dim3.of(1), Dim3.of(1), 8, out);
      assertArrayEquals(new int[] {57}, device.ints(out, 1));
      assertThrows(PtxTrap.class, () -> device.launch(kernel, Dim3.of(1), Dim3.of(1), 4, out));
    }
  }

  @Test
  void localMemory() throws PtxTrap {
    try (Device device = new Device(1 << 20)) {
      long out = device.allocate(16);
      PtxKernel kernel = device.load(SAMPLES).kernels().get("localArray");
      assertEquals(128, kernel.localBytes());
      device.launch(kernel, Dim3.of(1), Dim3.of(4), 0, out, device.ints(2, 0, 1), 3);
      assertArrayEquals(new int[] {0, 15, 30, 45}, device.ints(out, 4));
    }
  }

  @Test
  void branchTable() throws PtxTrap {
    try (Device device = new Device(1 << 20)) {
      long out = device.ints(5, 5, 5, 5, 5, 5, 5);
      PtxKernel kernel = device.load(SAMPLES).kernels().get("choose");
      device.launch(kernel, Dim3.of(1), Dim3.of(7), 0, out, device.ints(0, 1, 2, 3, 4, 5, 6));
      assertArrayEquals(new int[] {17, 15, -9, -3, 0x50, 32, -1}, device.ints(out, 7));
    }
  }

  @Test
  void print() throws PtxTrap {
    try (Device device = new Device(1 << 20)) {
      long text = device.allocate(8);
      device.store(text, "words".getBytes(StandardCharsets.US_ASCII));
      PtxKernel kernel = device.load(SAMPLES).kernels().get("print");
      device.launch(kernel, Dim3.of(1), Dim3.of(1), 0, 42, 2.5, text);
      assertEquals("[42|  -42|1099511627776|2.500000|2.5|words|x|0xbeef|%]\n", device.printed());
    }
  }
}
