// SPDX-License-Identifier: Apache-2.0
package album;

/** The words about a picture. */
public sealed interface Mark {
  /**
   * It can be judged.
   *
   * @param edges the sum of the differences of neighbours
   */
  record Sharpness(long edges) implements Mark {}

  /** It has too few pixels. */
  record TooSmall() implements Mark {}
}
