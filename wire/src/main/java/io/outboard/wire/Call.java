// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * One call being dispatched: where its body is and where its answer goes. One object a thread,
 * reused; nothing is allocated for a call.
 */
public interface Call {
  /** Address of the body. */
  long body();

  /** Bytes of the body. */
  int bodyBytes();

  /** The frame's flags. */
  int flags();

  /** Address of the payload that came ahead of the call, 0 if none. */
  long payload();

  /** Bytes of that payload. */
  long payloadBytes();

  /** The session's handles. */
  Handles handles();

  /**
   * Returns the library's value of the calling thread's own object, for which the vendor has a
   * special value: a per-thread default stream, say. It belongs to the <em>client's</em> thread.
   *
   * @param kind of the handle
   * @param special the vendor's value
   * @return the value, or {@link Handles#INVALID}
   */
  default long perThread(int kind, long special) {
    return special;
  }

  /** What the session may take of its devices. */
  Meter meter();

  /** The session's callbacks. */
  Callbacks callbacks();

  /**
   * Makes room for the answer's body and returns its address; the room is zeroed. Called at most
   * once a call.
   *
   * @param bytes at most {@link Limits#REPLY}
   */
  long answer(int bytes);

  /** Shortens or drops the answer's body; 0 where the call failed and has no outputs. */
  void answered(int bytes);
}
