// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/** The client's functions, as generated dispatchers see them. */
public interface Callbacks {
  /**
   * Returns the address of a native function {@code void f(void *userData)} of this process that
   * runs the client's callback whose number is given as its user data, and returns when it has
   * returned.
   */
  long trampoline();
}
