// SPDX-License-Identifier: Apache-2.0
package queens;

import io.outboard.offload.Offload;
import io.outboard.offload.Repeatable;

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
}
