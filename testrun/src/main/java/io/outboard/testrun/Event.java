// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.util.Optional;

/**
 * What happened in a run of tests: a line in the file of events.
 *
 * @param type the class of the test, or the name of a program in C
 * @param method the method of the test; of a program in C nothing
 * @param label which of the method's tests it is, where there are several
 * @param millis how long it took
 * @param text the reason of a failure or of a test that does not run
 */
record Event(
    Kind kind, String module, String type, String method, String label, long millis, String text) {
  private static final int FIELDS = 7;

  /** The kinds. */
  enum Kind {
    /** A class begins. */
    STARTED,
    PASSED,
    FAILED,
    SKIPPED,
    /** A class ends. */
    ENDED,
    /** A module's tests are over. */
    DONE
  }

  /** The event of a line; nothing if it is none. */
  static Optional<Event> parse(String line) {
    String[] field = line.split("\t", -1);
    if (field.length != FIELDS) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Event(
              Kind.valueOf(field[0]),
              field[1],
              field[2],
              field[3],
              field[4],
              Long.parseLong(field[5]),
              field[6]));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** The line of this event, with its end. */
  String line() {
    return String.join(
            "\t",
            kind.name(),
            module,
            type,
            flat(method),
            flat(label),
            Long.toString(millis),
            flat(text))
        + "\n";
  }

  private static String flat(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }

  /** The class without its package. */
  String simpleType() {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  /** What runs it alone: {@code Class.method}, or the name of a program in C. */
  String name() {
    return method.isEmpty() ? simpleType() : simpleType() + "." + method;
  }

  /** Whether it says how a test ended. */
  boolean isResult() {
    return kind == Kind.PASSED || kind == Kind.FAILED || kind == Kind.SKIPPED;
  }
}
