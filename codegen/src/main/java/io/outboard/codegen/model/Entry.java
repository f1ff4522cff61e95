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
 * @param late whether it looks, after its arguments, for a context of the form of that time
 * @param work whether it puts work into its stream: what a capture that has failed refuses (901)
 * @param kept whether it is to find memory free that a stream has freed and this side keeps
 * @param capture which captures prohibit it
 * @param handlesFirst whether its arguments are looked at before captures
 * @param ends the result with which it ends the capture of its stream; 0: none
 * @param rules what it says of single arguments, by their names
 */
public record Entry(
    Need need,
    int before,
    boolean lost,
    boolean late,
    boolean work,
    boolean kept,
    Capture capture,
    boolean handlesFirst,
    int ends,
    List<Rule> rules) {
  /** Of a function of which nothing is known. */
  public static final Entry OPEN =
      new Entry(Need.NOTHING, 0, false, false, false, false, Capture.NONE, false, 0, List.of());

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
    /** That of a stream that the legacy stream waits for: it is in that stream's order (906). */
    LEGACY,
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
   * @param wrong the results for what is there and is not right
   * @param turn when it is looked at
   */
  public record Rule(
      String name,
      int code,
      String where,
      boolean judged,
      List<Range> allowed,
      Wrong wrong,
      Turn turn) {}

  /** When an argument is looked at. */
  public enum Turn {
    /** After those before it. */
    USUAL,
    /** Before the other arguments. */
    FIRST,
    /** Before all else. */
    AT_ONCE
  }

  /**
   * The results for a wrong handle, an ordinal of no device, managed memory, an empty text, and a
   * structure whose first handle is null.
   *
   * @param other for a handle of another kind, or one that has ended; 0: that of its kind
   * @param garbage for what is no handle at all
   */
  public record Wrong(int other, int garbage) {
    /** As for the kind of handle. */
    public static final Wrong USUAL = new Wrong(0, 0);

    /** Whether the function has results of its own. */
    public boolean isOwn() {
      return other != 0;
    }
  }

  /**
   * Numbers, without a sign, that are allowed.
   *
   * @param from the least
   * @param to the largest
   * @param mask the bits that are compared
   */
  public record Range(long from, long to, long mask) {}

  /** What it says of null, or of handles, for a parameter. */
  public Optional<Rule> rule(String name) {
    return about(name)
        .filter(rule -> rule.allowed().isEmpty() && !rule.wrong().isOwn())
        .findFirst();
  }

  /** Whether anything but null is looked at. */
  public boolean judges(String name) {
    return about(name).allMatch(Rule::judged);
  }

  /** What it says of a wrong handle, or an empty text, for a parameter. */
  public Wrong wrong(String name) {
    return wrong(name, Turn.USUAL);
  }

  /** The same in a turn. */
  public Wrong wrong(String name, Turn turn) {
    return about(name)
        .filter(rule -> rule.turn() == turn)
        .map(Rule::wrong)
        .filter(Wrong::isOwn)
        .findFirst()
        .orElse(Wrong.USUAL);
  }

  /** What it says of the numbers that a parameter may be. */
  public List<Rule> numbers(String name) {
    return about(name).filter(rule -> !rule.allowed().isEmpty()).toList();
  }

  private Stream<Rule> about(String name) {
    return rules.stream().filter(rule -> rule.name().equals(name));
  }
}
