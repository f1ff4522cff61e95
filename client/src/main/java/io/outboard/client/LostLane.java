// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

/**
 * The lane whose context is lost. A call there that would be posted is answered instead, so that
 * each reports the loss itself.
 */
final class LostLane {
  private static final int NONE = -1;

  private volatile int lane = NONE;

  boolean is(int asked) {
    return lane == asked;
  }

  /** A call of that lane was answered; after the success of a posted one it is lost no more. */
  void learn(ClientLibrary library, int of, int result, boolean wouldBePosted) {
    if (result != 0 && library.lasting().test(result)) {
      lane = of;
    } else if (result == 0 && wouldBePosted && is(of)) {
      lane = NONE;
    }
  }
}
