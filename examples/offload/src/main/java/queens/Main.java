// SPDX-License-Identifier: Apache-2.0
package queens;

import io.outboard.offload.client.Code;
import io.outboard.offload.client.Offloading;
import java.nio.file.Files;
import java.nio.file.Path;

/** Counts on a backend; here where there is none. */
public final class Main {
  private static final double MILLION = 1e6;

  private Main() {}

  /** The backend's place, the file of its token, the jar, and the rows. */
  public static void main(String[] arguments) throws Exception {
    Path jar = Path.of(arguments[2]);
    int rows = Integer.parseInt(arguments[3]);
    try (Offloading backend =
        Offloading.to(arguments[0])
            .token(Files.readString(Path.of(arguments[1])))
            .code(Code.of(jar))
            .build()) {
      Queens queens = QueensChooser.of(backend, new LocalQueens());
      long begin = System.nanoTime();
      long found = queens.solutions(rows);
      double ms = (System.nanoTime() - begin) / MILLION;
      System.out.printf("%d queens: %d ways, %.1f ms%n", rows, found, ms);
    }
  }
}
