// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a run came to, in lines. */
final class Summary {
  private static final int SLOWEST = 10;

  private final Tally tally;
  private final Optionals optionals;
  private final List<String> lines = new ArrayList<>();

  private Summary(Tally tally, Optionals optionals) {
    this.tally = tally;
    this.optionals = optionals;
  }

  /**
   * The lines of a run; the last one has the counts, as continuous integration reads them.
   *
   * @param faults what is wrong beside tests that fail; each counts as one
   */
  static List<String> lines(Tally tally, Optionals optionals, List<String> faults) {
    Summary summary = new Summary(tally, optionals);
    summary.modules();
    summary.slowest();
    summary.skips();
    summary.failures();
    faults.forEach(fault -> summary.lines.add("outboard: " + fault));
    summary.lines.add(
        "outboard: %d passed, %d failed, %d skipped"
            .formatted(tally.passed(), tally.failed() + faults.size(), tally.skipped()));
    return summary.lines;
  }

  private void modules() {
    if (tally.took().size() <= 1) {
      return;
    }
    lines.add("outboard: tests of each module, and what its classes took together");
    lines.add("  %-14s %7s %7s %7s %9s".formatted("", "passed", "failed", "skipped", "seconds"));
    tally
        .modules()
        .forEach(
            (module, counts) ->
                lines.add(
                    "  %-14s %7d %7d %7d %9.1f"
                        .formatted(
                            module,
                            counts.passed(),
                            counts.failed(),
                            counts.skipped(),
                            counts.millis() / 1000.0)));
  }

  private void slowest() {
    if (tally.took().size() <= 1) {
      return;
    }
    lines.add("outboard: the slowest classes, in seconds");
    tally.took().stream()
        .sorted(Comparator.comparingLong(Tally.Took::millis).reversed())
        .limit(SLOWEST)
        .forEach(
            took ->
                lines.add(
                    "  %8.1f  %s %s"
                        .formatted(took.millis() / 1000.0, took.module(), took.name())));
  }

  /** Tests of one reason stand together. */
  private void skips() {
    if (tally.skips().isEmpty()) {
      return;
    }
    TreeMap<String, TreeSet<String>> reasons = new TreeMap<>();
    Set<String> packages = new TreeSet<>();
    for (Event skip : tally.skips()) {
      reasons.computeIfAbsent(skip.text(), _ -> new TreeSet<>()).add(skip.name());
      optionals.enables(skip.text()).ifPresent(packages::add);
    }
    lines.add("outboard: not run here");
    reasons.forEach(
        (reason, tests) ->
            lines.add(
                "  %s%s: %s"
                    .formatted(
                        reason.isEmpty() ? "for no reason given" : reason,
                        optionals.enables(reason).map(name -> " (package " + name + ")").orElse(""),
                        String.join(", ", tests))));
    if (!packages.isEmpty()) {
      lines.add("outboard: to run more: apt-get install " + String.join(" ", packages));
    }
  }

  private void failures() {
    if (tally.failures().isEmpty()) {
      return;
    }
    lines.add("outboard: FAILED; the line below each runs it alone");
    Map<String, List<Event>> named =
        tally.failures().stream()
            .collect(
                Collectors.groupingBy(
                    failure -> "./outboard test " + failure.name(),
                    LinkedHashMap::new,
                    Collectors.toList()));
    named.forEach(
        (command, failures) -> {
          failures.forEach(failure -> lines.add("  " + failure(failure)));
          lines.add("      " + command);
        });
    lines.add("outboard: all that they printed is in target/build.log");
  }

  /** A failure in a line. */
  static String failure(Event failure) {
    String label = failure.label().isEmpty() ? "" : " [" + failure.label() + "]";
    return "%s %s%s: %s".formatted(failure.module(), failure.name(), label, failure.text());
  }
}
