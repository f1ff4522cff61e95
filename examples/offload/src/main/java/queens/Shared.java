// SPDX-License-Identifier: Apache-2.0
package queens;

import io.outboard.offload.Range;
import io.outboard.offload.client.Code;
import io.outboard.offload.client.Offloading;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Counts on several workers of a backend, each of which takes some columns. */
public final class Shared {
  private Shared() {}

  /** The backend's place, the file of its token, the jar, the rows, and how many workers. */
  public static void main(String[] arguments) throws Exception {
    int rows = Integer.parseInt(arguments[3]);
    List<Offloading> workers = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(arguments[4]); i++) {
      workers.add(
          Offloading.to(arguments[0])
              .token(Files.readString(Path.of(arguments[1])))
              .code(Code.of(Path.of(arguments[2])))
              .build());
    }
    long found = QueensSplit.of(workers).solutionsFrom(new Range(0, rows), rows);
    System.out.println(rows + " queens: " + found + " ways, by " + workers.size() + " workers");
    workers.forEach(Offloading::close);
  }
}
