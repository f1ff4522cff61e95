// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

/**
 * How a library copies the pieces of one transfer between a device and memory of this process. A
 * copy does not wait: a mark behind each piece says when its memory is free.
 */
public interface DeviceCopies {
  /** The end of one piece's copy. */
  interface Mark {
    /** Whether the copy is over, however it went. */
    boolean isDone();

    /** Waits until it is; 0 or the library's code for what went wrong. */
    int await();

    /** Frees what the mark holds. */
    void end();
  }

  /** Why a transfer fails before any copy does. */
  enum Failure {
    /** The transfer is over already, or has no bytes. */
    REFUSED,
    /** Connections were lost, or the session ends; the client begins again, if it can. */
    LOST,
    /** The device keeps as much memory as a session may have for pieces. */
    FULL
  }

  /**
   * Asks for the copy of a piece, and for a mark behind it.
   *
   * @param data where the piece lies in this process
   * @param offset its place in the transfer
   * @return 0, or the library's code: the copy is then over, or never begins
   */
  int start(long data, long offset, int bytes);

  /** The mark of the piece that was started last. */
  Mark mark();

  /** Equal for transfers whose pieces are over in the order in which they were started. */
  Object order();

  /**
   * How many nanoseconds a transfer to the device waits while the device keeps all memory for
   * pieces and returns none. Then it fails: the device may wait for what the client does next.
   */
  long patienceNs();

  /** The library's code for a failure. */
  int code(Failure failure);
}
