// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/** Is told of each call as the library is called; generated decorators tell it. */
public interface CallLog {
  /**
   * A call is about to be made by this thread.
   *
   * @param signature of the function: see {@link CallText}
   * @param values of the parameters; the bits of floating-point ones
   */
  void called(String signature, long... values);

  /** That call has returned; returns its result. */
  int returned(int result);
}
