// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/** The client's functions, as generated dispatchers see them. */
public interface Callbacks {
  /**
   * Returns the address of a native function of this process that runs the client's callback whose
   * number is given as its user data, and returns when it has returned.
   *
   * @param position of the user data among the function's arguments, 0 to {@link #POSITIONS} − 1;
   *     all are integers or pointers
   */
  long trampoline(int position);

  /** Arguments among which the user data may be. */
  int POSITIONS = 4;
}
