// SPDX-License-Identifier: Apache-2.0

import io.outboard.gpu.Gpu;
import io.outboard.gpu.GpuMemory;
import io.outboard.gpu.GpuModule;
import io.outboard.gpu.Grid;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Adds two vectors on a GPU that is somewhere else, without native code. From the repository's folder, with a backend
 * that runs:
 *
 * <pre>
 * java --enable-native-access=ALL-UNNAMED -cp cli/target/outboard-cli.jar examples/java/VectorAdd.java [URI]
 * </pre>
 */
final class VectorAdd {
  private static final int ELEMENTS = 50_000;
  private static final int BLOCK = 256;

  private VectorAdd() {}

  public static void main(String[] arguments) throws Exception {
    try (Gpu gpu = arguments.length > 0 ? Gpu.connect(arguments[0]) : Gpu.connect();
        GpuModule module = gpu.load(Files.readString(Path.of("examples/cuda/kernels/vectorAdd.ptx")))) {
      float[] a = new float[ELEMENTS];
      float[] b = new float[ELEMENTS];
      for (int i = 0; i < ELEMENTS; i++) {
        a[i] = i;
        b[i] = 0.5f * i;
      }
      try (GpuMemory left = gpu.copyOf(a);
          GpuMemory right = gpu.copyOf(b);
          GpuMemory sum = gpu.allocate(left.bytes())) {
        module.kernel("vectorAdd").launch(Grid.covering(ELEMENTS, BLOCK), left, right, sum, ELEMENTS);
        check(sum.readFloats(), a, b);
      }
      System.out.println("vectorAdd: PASSED on " + gpu.name() + ": " + ELEMENTS + " elements");
    }
  }

  private static void check(float[] sum, float[] a, float[] b) {
    for (int i = 0; i < sum.length; i++) {
      if (sum[i] != a[i] + b[i]) {
        throw new IllegalStateException("element " + i + " is " + sum[i] + ", not " + (a[i] + b[i]));
      }
    }
  }
}
