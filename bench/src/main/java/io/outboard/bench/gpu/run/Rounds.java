// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/**
 * Runs pieces: in each round once each way, the native one first, so that each of the others has a
 * partner of the same minute.
 */
public final class Rounds {
  /** A piece that cannot run need not be tried in every round. */
  private static final int MOST_FAILURES = 2;

  private final Results results;
  private final int pairs;
  private final long end;
  private final PrintStream progress;

  /**
   * None run yet.
   *
   * @param pairs rounds of pieces that are timed; an exact piece has one
   * @param most time for all; pieces that have not run by then are left out
   */
  public Rounds(Results results, int pairs, Duration most, PrintStream progress) {
    this.results = results;
    this.pairs = pairs;
    this.end = System.nanoTime() + most.toNanos();
    this.progress = progress;
  }

  /** Runs pieces of one group. */
  public void run(Group group, List<Piece> pieces, List<Way> ways)
      throws IOException, InterruptedException {
    int rounds = group.isTimed() ? pairs : 1;
    List<Way> run = ways.stream().filter(way -> group.isCompared() || !way.isNative()).toList();
    for (int round = 1; round <= rounds; round++) {
      for (Piece piece : pieces) {
        for (Way way : run) {
          run(piece, way, round, rounds);
        }
      }
    }
  }

  private void run(Piece piece, Way way, int round, int rounds)
      throws IOException, InterruptedException {
    if (results.failures(piece, way) >= MOST_FAILURES) {
      return;
    }
    if (!way.isNative()) {
      Thread.sleep(piece.group().restMs());
    }
    Duration left = Duration.ofNanos(end - System.nanoTime());
    if (left.isNegative()) {
      progress.printf("outboard: no time left for %s, %s%n", piece.name(), way.name());
      return;
    }
    progress.printf(
        "outboard: %s, round %d of %d: %s, %s%n",
        piece.group(), round, rounds, piece.name(), way.name());
    Run run = piece.run(round, way, left);
    if (run.failure() != null) {
      progress.printf("outboard: %s, %s: %s%n", piece.name(), way.name(), run.failure());
    }
    results.add(run);
  }
}
