// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a function of the vendor's library looks at before it does anything, in this order: the
 * process and the thread, captures of streams, its arguments.
 *
 * @param need what must be there
 * @param before its result before the library is initialised; 0: it goes on
 * @param lost whether it tells that the context's work has failed
 * @param capture which captures prohibit it
 * @param rules what it says of single arguments, by their names
 */
public record Entry(Need need, int before, boolean lost, Capture capture, List<Rule> rules) {
  /** Of a function of which nothing is known. */
  public static final Entry OPEN = new Entry(Need.NOTHING, 0, false, Capture.NONE, List.of());

  /** The condition of a function. */
  public enum Need {
    /** None. */
    NOTHING,
    /** The library is initialised, and this is no function that a stream calls. */
    DRIVER,
    /** The same; but what is missing is an invalid value. */
    QUIET,
    /** The same as {@link #DRIVER}, and a context is current. */
    CONTEXT,
    /** The same, and the context was made by the form of that time. */
    OLDER
  }

  /** The captures that prohibit a function. */
  public enum Capture {
    /** None. */
    NONE,
    /** Those that the thread's mode of capture is about. */
    UNSAFE,
    /** The same, unless the stream captures that the function is given. */
    ELSEWHERE,
    /** That of the stream that it is given. */
    STREAM,
    /** Both. */
    BOTH,
    /** Any in the context: it waits for all of that. */
    WAITING,
    /** None; and it has its effect although the process exits, when others have none. */
    ENDING
  }

  /**
   * What an argument may be.
   *
   * @param name of the parameter
   * @param code the result for null; 0 where that is allowed
   * @param where a number: only where it is not 0; empty: always
   * @param judged whether anything but null is looked at
   * @param allowed numbers that are allowed, empty: null is not
   */
  public record Rule(String name, int code, String where, boolean judged, List<Range> allowed) {}

  /**
   * Numbers, without a sign, that are allowed.
   *
   * @param from the least
   * @param to the largest
   * @param bits whether they are instead those without a bit that is not in {@code to}
   */
  public record Range(long from, long to, boolean bits) {}

  /** What it says of null, or of handles, for a parameter. */
  public Optional<Rule> rule(String name) {
    return about(name).filter(rule -> rule.allowed().isEmpty()).findFirst();
  }

  /** What it says of the numbers that a parameter may be. */
  public List<Rule> numbers(String name) {
    return about(name).filter(rule -> !rule.allowed().isEmpty()).toList();
  }

  private Stream<Rule> about(String name) {
    return rules.stream().filter(rule -> rule.name().equals(name));
  }
}
