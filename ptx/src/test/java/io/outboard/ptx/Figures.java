// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import io.outboard.ptx.host.Dim3;
import io.outboard.ptx.host.PtxTrap;

/** Prints the figures of README.md. Its one argument is the number of workers, 2 by default. */
final class Figures {
  private static final int ROUNDS = 12;

  private Figures() {}

  public static void main(String[] arguments) throws PtxTrap {
    long start = System.nanoTime();
    int workers = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2;
    try (Device device = new Device(256L << 20, workers)) {
      PtxModule module = device.load(Device.resource("/kernels/basic.ptx"));
      first(device, module);
      report("first vectorAdd in this JVM, with reading and compiling", start);
      matrixMultiply(device, module);
      vectorAdd(device, module);
    }
  }

  private static void report(String what, long since) {
    System.out.println(what + ": " + (System.nanoTime() - since) / 1_000_000 + " ms");
  }

  private static void first(Device device, PtxModule module) throws PtxTrap {
    long a = device.allocate(200_000);
    PtxKernel kernel = module.kernels().get("vectorAdd");
    device.launch(kernel, Dim3.of(196), Dim3.of(256), 0, a, a, a, 50_000);
  }

  private static void matrixMultiply(Device device, PtxModule module) throws PtxTrap {
    int n = 512;
    long a = device.allocate(4L * n * n);
    long c = device.allocate(4L * n * n);
    PtxKernel kernel = module.kernels().get("matrixMul");
    long best = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      long start = System.nanoTime();
      device.launch(kernel, Dim3.of(n / 16, n / 16), Dim3.of(16, 16), 0, c, a, a, n);
      best = Math.min(best, System.nanoTime() - start);
      if (i == 0) {
        report("first matrixMul of 512", start);
      }
    }
    System.out.printf("matrixMul of 512: %.2f GFLOP/s%n", 2.0 * n * n * n / best);
  }

  private static void vectorAdd(Device device, PtxModule module) throws PtxTrap {
    int n = 1 << 23;
    long a = device.allocate(4L * n);
    long b = device.allocate(4L * n);
    long c = device.allocate(4L * n);
    PtxKernel kernel = module.kernels().get("vectorAdd");
    long best = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      long start = System.nanoTime();
      device.launch(kernel, Dim3.of(n / 256), Dim3.of(256), 0, a, b, c, n);
      best = Math.min(best, System.nanoTime() - start);
    }
    System.out.printf("vectorAdd of 8 Mi floats: %.2f GB/s%n", 12.0 * n / best);
  }
}
