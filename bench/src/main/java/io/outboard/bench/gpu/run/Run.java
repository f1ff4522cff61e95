// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import java.util.Map;

/**
 * The result of one run of one piece.
 *
 * @param source which of several result files it is from; runs of one are compared with each other
 * @param group the piece's group
 * @param piece its name
 * @param round which pair of several, from 1
 * @param way how it ran
 * @param figures what it measured, by name
 * @param notes what it said that is no number, by name
 * @param failure why it failed; null if it did not
 */
public record Run(
    int source,
    Group group,
    String piece,
    int round,
    String way,
    Map<String, Double> figures,
    Map<String, String> notes,
    String failure) {

  /** Whether the two are of one pair. */
  public boolean isPartnerOf(Run other) {
    return source == other.source
        && group == other.group
        && round == other.round
        && piece.equals(other.piece);
  }

  Run from(int file) {
    return new Run(file, group, piece, round, way, figures, notes, failure);
  }
}
