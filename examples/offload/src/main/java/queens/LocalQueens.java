// SPDX-License-Identifier: Apache-2.0
package queens;

import io.outboard.offload.Offloaded;

/** Counts by trying, a bit for each column and each diagonal. */
@Offloaded
public final class LocalQueens implements Queens {
  private static final int MOST = 24;

  @Override
  public long solutions(int rows) throws BoardException {
    if (rows < 1 || rows > MOST) {
      throw new BoardException("a board has 1 to " + MOST + " rows, not " + rows);
    }
    return count((1 << rows) - 1, 0, 0, 0);
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
