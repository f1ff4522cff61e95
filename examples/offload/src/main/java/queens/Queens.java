// SPDX-License-Identifier: Apache-2.0
package queens;

import io.outboard.offload.Offload;
import io.outboard.offload.Range;
import io.outboard.offload.Repeatable;
import io.outboard.offload.Split;

/** The puzzle of the queens that do not attack each other. */
@Offload("queens")
public interface Queens {
  /**
   * Counts the ways to place so many queens on a board of so many rows.
   *
   * @throws BoardException if the board is none
   */
  @Repeatable
  long solutions(int rows) throws BoardException;

  /**
   * Counts those among them whose first queen is in one of these columns.
   *
   * @throws BoardException if the board is none
   */
  @Split(over = "columns", join = Split.Join.SUM)
  long solutionsFrom(Range columns, int rows) throws BoardException;
}
