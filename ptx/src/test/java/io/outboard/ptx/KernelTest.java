// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

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
}
