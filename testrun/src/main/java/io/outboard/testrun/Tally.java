// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts what happened. */
final class Tally {
  /** The counts of a module. */
  static final class Counts {
    private int passed;
    private int failed;
    private int skipped;
    private long millis;

    int passed() {
      return passed;
    }

    int failed() {
      return failed;
    }

    int skipped() {
      return skipped;
    }

    /** What its classes took together. */
    long millis() {
      return millis;
    }

    int all() {
      return passed + failed + skipped;
    }
  }

  /**
   * How long a class took.
   *
   * @param millis with what it needs before its first test
   */
  record Took(String module, String name, long millis) {}

  private final Map<String, Counts> modules = new LinkedHashMap<>();
  private final Map<String, Event> running = new LinkedHashMap<>();
  private final List<Event> failures = new ArrayList<>();
  private final List<Event> skips = new ArrayList<>();
  private final Map<String, Took> took = new LinkedHashMap<>();

  /** Notes an event. */
  void add(Event event) {
    Counts counts = modules.computeIfAbsent(event.module(), _ -> new Counts());
    switch (event.kind()) {
      case STARTED -> running.put(key(event), event);
      case ENDED -> {
        running.remove(key(event));
        took(event, counts);
      }
      case PASSED -> counts.passed++;
      case FAILED -> {
        counts.failed++;
        failures.add(event);
      }
      case SKIPPED -> {
        counts.skipped++;
        skips.add(event);
      }
      case DONE -> {}
    }
    if (event.isResult() && event.module().equals(Sources.FRONTEND)) {
      took(event, counts);
    }
  }

  private static String key(Event event) {
    return event.module() + " " + event.type();
  }

  private void took(Event event, Counts counts) {
    counts.millis += event.millis();
    took.merge(
        key(event),
        new Took(event.module(), event.simpleType(), event.millis()),
        (old, more) -> new Took(old.module(), old.name(), old.millis() + more.millis()));
  }

  /** Classes that began and did not end: their machine did, or was lost. */
  List<Event> lost() {
    return running.values().stream()
        .map(
            event ->
                new Event(
                    Event.Kind.FAILED,
                    event.module(),
                    event.type(),
                    "",
                    "",
                    0,
                    "it did not end: what ran it is gone"))
        .toList();
  }

  /** Modules of {@code expected} none of whose tests was seen. */
  List<String> unseen(Set<String> expected) {
    return expected.stream()
        .filter(module -> !modules.containsKey(module) || modules.get(module).all() == 0)
        .toList();
  }

  int done() {
    return modules.values().stream().mapToInt(Counts::all).sum();
  }

  int passed() {
    return modules.values().stream().mapToInt(Counts::passed).sum();
  }

  int failed() {
    return failures.size();
  }

  int skipped() {
    return skips.size();
  }

  Map<String, Counts> modules() {
    return modules;
  }

  /** The first events of classes that run. */
  Collection<Event> running() {
    return running.values();
  }

  List<Event> failures() {
    return failures;
  }

  List<Event> skips() {
    return skips;
  }

  /** How long each class took. */
  Collection<Took> took() {
    return took.values();
  }
}
