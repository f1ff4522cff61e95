// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How far a run is, in a line. */
final class Progress {
  private final Tally tally;
  private final int known;
  private final Optional<Curve> earlier;
  private final List<Curve.Point> points = new ArrayList<>();

  /**
   * Begins.
   *
   * @param known the tests that the sources name: those that are made as they run are more
   * @param earlier what a run of the same tests took
   */
  Progress(Tally tally, int known, Optional<Curve> earlier) {
    this.known = known;
    this.tally = tally;
    this.earlier = earlier;
  }

  /** Notes for later runs how far this one is. */
  void note(Duration elapsed) {
    if (tally.done() > (points.isEmpty() ? 0 : points.getLast().tests())) {
      points.add(new Curve.Point(tally.done(), elapsed.toMillis() / 1000.0));
    }
  }

  /** What this run took; nothing if it did nothing. */
  Optional<Curve> curve() {
    return points.isEmpty() ? Optional.empty() : Optional.of(new Curve(List.copyOf(points)));
  }

  /** The line. */
  String line(Duration elapsed, String building) {
    List<String> parts = new ArrayList<>();
    parts.add(time(elapsed) + ": " + counts());
    earlier
        .filter(curve -> tally.done() < curve.tests())
        .ifPresent(
            curve -> parts.add("about " + left(curve.left(tally.done(), elapsed)) + " left"));
    String running =
        tally.running().stream().map(Event::simpleType).limit(4).collect(Collectors.joining(", "));
    if (!running.isEmpty()) {
      parts.add(running);
    } else if (!building.isEmpty()) {
      parts.add("building " + building);
    }
    return "outboard: " + String.join("; ", parts);
  }

  private String counts() {
    String failed = tally.failed() == 0 ? "" : ", " + tally.failed() + " failed";
    return tally.done() + all() + failed;
  }

  /** A number that an earlier run had is no promise. */
  private String all() {
    int likely = earlier.map(Curve::tests).orElse(0);
    if (likely >= known && likely > tally.done()) {
      return " of about " + likely + " tests";
    }
    return known > tally.done() ? " of " + known + " or more tests" : " tests";
  }

  static String time(Duration elapsed) {
    return "%d:%02d".formatted(elapsed.toMinutes(), elapsed.toSecondsPart());
  }

  /** A length that is known so well as its words say. */
  static String left(Duration left) {
    return left.toSeconds() < 90
        ? Math.max(10, (left.toSeconds() + 5) / 10 * 10) + " s"
        : (left.toSeconds() + 30) / 60 + " min";
  }
}
