// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/** Decodes and checks the calls of one library and issues them; generated. */
public interface Dispatcher {
  /** The call runs where it is issued and may be answered. */
  int PLAIN = 0;

  /** The call is posted. */
  int ASYNC = 1;

  /** The call may wait: it runs off its lane. */
  int BLOCKING = 2;

  /** There is no such call. */
  int UNKNOWN = 3;

  /**
   * How the call is to be run: {@link #PLAIN}, {@link #ASYNC}, {@link #BLOCKING} or {@link
   * #UNKNOWN}.
   */
  int answering(int number);

  /** The highest number of a call. */
  int level();

  /** The name of a call's function, null if it has none. */
  default String name(int number) {
    return null;
  }

  /**
   * Runs one call.
   *
   * @return the library's result code
   * @throws ProtocolException if the body is not a well-formed one of that call
   */
  int dispatch(int number, Call call);

  /** Whether each later call in the lane of a call with this result returns it too. */
  default boolean lasts(int result) {
    return false;
  }

  /** Whether its calls take anything of devices that a lease bounds. */
  default boolean takesOfDevices() {
    return true;
  }

  /** The library's result for a call that this side does not know. */
  int notSupported();

  /** The library's result where memory is short. */
  int outOfMemory();
}
