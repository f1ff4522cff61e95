// SPDX-License-Identifier: Apache-2.0
package filter;

import io.outboard.offload.Offload;
import io.outboard.offload.Repeatable;

/** Filters of pictures. */
@Offload("filter")
public interface Filter {
  /**
   * Gives each pixel the mean of itself and its eight neighbours; at an edge the nearest pixel
   * stands for one that is missing.
   *
   * @throws FilterException if there is no picture, or the GPU that was there is of no use
   */
  @Repeatable
  Photo blur(Photo photo) throws FilterException;

  /** Says where pictures are filtered: the GPU's name, or that there is none. */
  String where() throws FilterException;
}
