// SPDX-License-Identifier: Apache-2.0
package queens;

import io.outboard.offload.Range;
import io.outboard.offload.client.Code;
import io.outboard.offload.client.Offloading;
import io.outboard.offload.client.Workers;
import java.nio.file.Path;
import java.util.List;

/** Counts on the workers that {@code outboard offload workers} has got. */
public final class Pooled {
  private Pooled() {}

  /** The jar and the rows. */
  public static void main(String[] arguments) throws Exception {
    int rows = Integer.parseInt(arguments[1]);
    List<Offloading> workers = Workers.of(Code.of(Path.of(arguments[0])));
    long found = QueensSplit.of(workers).solutionsFrom(new Range(0, rows), rows);
    System.out.println(rows + " queens: " + found + " ways, by " + workers.size() + " workers");
    workers.forEach(Offloading::close);
  }
}
