// SPDX-License-Identifier: Apache-2.0
package queens;

import io.outboard.offload.Offloaded;
import io.outboard.offload.Range;

/** Counts by trying, a bit for each column and each diagonal. */
@Offloaded
public final class LocalQueens implements Queens {
  private static final int MOST = 24;

  @Override
  public long solutions(int rows) throws BoardException {
    return solutionsFrom(new Range(0, rows), rows);
  }

  @Override
  public long solutionsFrom(Range columns, int rows) throws BoardException {
    if (rows < 1 || rows > MOST || columns.from() < 0 || columns.to() > rows) {
      throw new BoardException("a board has 1 to " + MOST + " rows, not " + rows);
    }
    long found = 0;
    for (long column = columns.from(); column < columns.to(); column++) {
      int queen = 1 << column;
      found += count((1 << rows) - 1, queen, queen << 1, queen >> 1);
    }
    return found;
  }

  private static long count(int all, int columns, int left, int right) {
    if (columns == all) {
      return 1;
    }
    long found = 0;
    for (int free = all & ~(columns | left | right); free != 0; free &= free - 1) {
      int queen = Integer.lowestOneBit(free);
      found += count(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return found;
  }
}
