// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

/**
 * A place where a thread waits for others: a barrier or a warp operation.
 *
 * @param operation what is done once all have come
 * @param masked whether the thread names the lanes it waits for
 * @param entry where threads go on
 */
public record Cut(Operation operation, boolean masked, int entry) {
  /** Where a waiting thread leaves its operands and finds its results, in its part of the frame. */
  public static final int A = 0;

  public static final int B = 1;
  public static final int C = 2;
  public static final int MASK = 3;
  public static final int A_HIGH = 4;
  public static final int RESULT = 5;
  public static final int PREDICATE = 6;

  /** How many ints of a thread's frame this takes. */
  public static final int MAILBOX = 7;

  /**
   * The registers of matrix fragments lie behind the others, where a kernel multiplies matrices.
   */
  public static final int MATRIX_LEFT = MAILBOX;

  public static final int MATRIX_RIGHT = MATRIX_LEFT + 8;
  public static final int MATRIX_SUM = MATRIX_RIGHT + 8;

  /** How many ints the mailbox takes with them. */
  public static final int MATRIX_MAILBOX = MATRIX_SUM + 8;

  /** The operation of a cut. */
  public enum Operation {
    /** Barrier 0 of all threads, the usual one: threads leave nothing in their mailboxes. */
    BARRIER_OF_ALL,
    BARRIER,
    BARRIER_ARRIVE,
    BARRIER_COUNT,
    BARRIER_AND,
    BARRIER_OR,
    WARP_SYNC,
    SHUFFLE_UP,
    SHUFFLE_DOWN,
    SHUFFLE_XOR,
    SHUFFLE_INDEX,
    VOTE_ALL,
    VOTE_ANY,
    VOTE_UNIFORM,
    BALLOT,
    MATCH_ANY,
    MATCH_ALL,
    ADD,
    MIN,
    MAX,
    MIN_UNSIGNED,
    MAX_UNSIGNED,
    AND,
    OR,
    XOR,
    ACTIVE_MASK,
    ELECT,
    /** Multiplies matrices; the addend and the result are single precision or halves. */
    MATRIX,
    MATRIX_FROM_HALVES,
    MATRIX_TO_HALVES,
    MATRIX_OF_HALVES;

    /** Whether lanes leave fragments of matrices. */
    public boolean ofMatrices() {
      return compareTo(MATRIX) >= 0;
    }

    /** Whether the whole block takes part, and not one warp. */
    public boolean ofBlock() {
      return compareTo(BARRIER_OR) <= 0;
    }
  }
}
