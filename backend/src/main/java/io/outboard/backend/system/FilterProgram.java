// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program of classic BPF that says what becomes of a call of the kernel's (seccomp(2)): it finds
 * the call's number by halving, so that a frequent call costs seven comparisons and not two
 * hundred.
 */
final class FilterProgram {
  /** Action: the call is made. */
  static final int ALLOW = 0x7fff0000;

  /** Action: somebody who listens decides. */
  static final int ASK = 0x7fc00000;

  /** Action: the call returns an error, the number that is added. */
  static final int ERROR = 0x00050000;

  // struct seccomp_data: int number, int architecture, long instruction, six long arguments.
  private static final int NUMBER = 0;
  private static final int ARCHITECTURE = 4;
  private static final int ARGUMENTS = 16;

  // linux/bpf_common.h: a word at a place, jumps by comparison, the end with a value.
  private static final int LOAD = 0x20;
  private static final int EQUAL = 0x15;
  private static final int AT_LEAST = 0x35;
  private static final int ANY_BIT = 0x45;
  private static final int RETURN = 0x06;

  private static final int FARTHEST = 255;

  private final List<Long> code = new ArrayList<>();

  /** The verdict on a call; it may look at arguments. */
  @FunctionalInterface
  interface Verdict {
    /** Adds instructions that end in an action. */
    void write(FilterProgram program);
  }

  /** Always the same action. */
  static Verdict always(int action) {
    return program -> program.end(action);
  }

  /** A program that lets every call through. */
  static long[] empty() {
    return new long[] {instruction(RETURN, 0, 0, ALLOW)};
  }

  private record Range(int first, Verdict verdict) {}

  /**
   * A program for one architecture; calls of another one have the last verdict.
   *
   * @param architecture {@code AUDIT_ARCH_…}
   * @param verdicts by number; the same object for calls that need no distinction
   * @param newest the last number that {@code refused} is for
   * @param refused of calls that have no verdict
   * @param unknown of calls behind the newest
   */
  static long[] of(
      int architecture,
      Map<Integer, Verdict> verdicts,
      int newest,
      Verdict refused,
      Verdict unknown) {
    FilterProgram program = new FilterProgram();
    program.add(LOAD, 0, 0, ARCHITECTURE);
    program.unless(EQUAL, architecture, unknown);
    program.add(LOAD, 0, 0, NUMBER);
    List<Range> ranges = ranges(verdicts, newest, refused);
    ranges.add(new Range(newest + 1, unknown));
    program.find(ranges);
    return program.code.stream().mapToLong(Long::longValue).toArray();
  }

  private static List<Range> ranges(Map<Integer, Verdict> verdicts, int newest, Verdict refused) {
    List<Range> ranges = new ArrayList<>();
    for (int number = 0; number <= newest; number++) {
      Verdict verdict = verdicts.getOrDefault(number, refused);
      if (ranges.isEmpty() || ranges.getLast().verdict != verdict) {
        ranges.add(new Range(number, verdict));
      }
    }
    return ranges;
  }

  private void find(List<Range> ranges) {
    if (ranges.size() == 1) {
      ranges.getFirst().verdict.write(this);
      return;
    }
    int middle = ranges.size() / 2;
    int at = code.size();
    code.add(0L);
    find(ranges.subList(0, middle));
    int distance = code.size() - at - 1;
    if (distance > FARTHEST) {
      throw new IllegalStateException("a jump over " + distance + " instructions");
    }
    code.set(at, instruction(AT_LEAST, distance, 0, ranges.get(middle).first));
    find(ranges.subList(middle, ranges.size()));
  }

  private void unless(int comparison, int value, Verdict otherwise) {
    int at = code.size();
    code.add(0L);
    otherwise.write(this);
    code.set(at, instruction(comparison, code.size() - at - 1, 0, value));
  }

  /** Looks at the lower half of an argument from here on. */
  FilterProgram argument(int index) {
    add(LOAD, 0, 0, ARGUMENTS + index * Long.BYTES);
    return this;
  }

  /** Ends with an action if the argument has this value. */
  FilterProgram ifEqual(int value, int action) {
    add(EQUAL, 0, 1, value);
    end(action);
    return this;
  }

  /** Ends with an action if the argument has another value. */
  FilterProgram unlessEqual(int value, int action) {
    add(EQUAL, 1, 0, value);
    end(action);
    return this;
  }

  /** Ends with an action if the argument has one of these bits. */
  FilterProgram ifAny(int bits, int action) {
    add(ANY_BIT, 0, 1, bits);
    end(action);
    return this;
  }

  /** Ends with an action. */
  void end(int action) {
    add(RETURN, 0, 0, action);
  }

  private void add(int operation, int ifTrue, int ifFalse, int value) {
    code.add(instruction(operation, ifTrue, ifFalse, value));
  }

  /** Both architectures have the low byte first. */
  private static long instruction(int operation, int ifTrue, int ifFalse, int value) {
    return (long) value << 32 | (long) ifFalse << 24 | (long) ifTrue << 16 | operation;
  }
}
