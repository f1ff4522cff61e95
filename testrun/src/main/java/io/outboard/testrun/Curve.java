// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How many tests an earlier run had done after how long: what a run is likely to take, with its
 * builds and with what it does two at a time.
 *
 * @param points in order of time; never empty
 */
record Curve(List<Point> points) {
  /**
   * A point.
   *
   * @param tests so many were done
   * @param seconds after so long
   */
  record Point(int tests, double seconds) {}

  /** A machine is not said to be more than so many times slower or faster than at first. */
  private static final double MOST_RATIO = 5;

  /** Before so long a run says nothing about this machine's speed. */
  private static final double TOO_SOON_SECONDS = 30;

  private static final int POINTS = 40;

  /** That of this checkout's last run of a kind, else of the one that is committed, if any. */
  static Optional<Curve> read(Path folder, String kind) throws IOException {
    Path own = own(folder, kind);
    if (Files.exists(own)) {
      return parse(Files.readString(own));
    }
    try (InputStream committed = Curve.class.getResourceAsStream(kind + ".curve")) {
      return committed == null
          ? Optional.empty()
          : parse(new String(committed.readAllBytes(), UTF_8));
    }
  }

  private static Path own(Path folder, String kind) {
    return folder.resolve(kind + ".curve");
  }

  /** A file that somebody damaged is as none. */
  private static Optional<Curve> parse(String text) {
    try {
      List<Point> points =
          text.lines()
              .map(line -> line.split(" "))
              .map(word -> new Point(Integer.parseInt(word[0]), Double.parseDouble(word[1])))
              .toList();
      return points.isEmpty() ? Optional.empty() : Optional.of(new Curve(points));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException _) {
      return Optional.empty();
    }
  }

  /** Keeps it for the next run of its kind: some points of all. */
  void write(Path folder, String kind) throws IOException {
    List<Point> some = new ArrayList<>();
    for (Point point : points) {
      if (some.isEmpty() || point.tests() - some.getLast().tests() >= tests() / POINTS) {
        some.add(point);
      }
    }
    if (!some.getLast().equals(points.getLast())) {
      some.add(points.getLast());
    }
    Files.writeString(
        own(folder, kind),
        some.stream()
            .map(point -> "%d %.0f\n".formatted(point.tests(), point.seconds()))
            .collect(Collectors.joining()));
  }

  /** How many tests there were. */
  int tests() {
    return points.getLast().tests();
  }

  /** How long they took. */
  Duration length() {
    return Duration.ofMillis((long) (points.getLast().seconds() * 1000));
  }

  /** What is likely to be left of a run that has done so many tests after so long. */
  Duration left(int tests, Duration elapsed) {
    double then = seconds(tests);
    double now = elapsed.toMillis() / 1000.0;
    double ratio = 1;
    if (tests < points.getFirst().tests()) {
      then = Math.min(then, now);
    } else if (then >= TOO_SOON_SECONDS) {
      ratio = Math.clamp(now / then, 1 / MOST_RATIO, MOST_RATIO);
    }
    double left = (points.getLast().seconds() - then) * ratio;
    return Duration.ofMillis((long) (Math.max(0, left) * 1000));
  }

  /** After how long so many tests were done. */
  private double seconds(int tests) {
    Point before = points.getFirst();
    for (Point point : points) {
      if (point.tests() >= tests) {
        double part =
            point.tests() == before.tests()
                ? 1
                : Math.clamp(
                    (double) (tests - before.tests()) / (point.tests() - before.tests()), 0, 1);
        return before.seconds() + part * (point.seconds() - before.seconds());
      }
      before = point;
    }
    return points.getLast().seconds();
  }
}
