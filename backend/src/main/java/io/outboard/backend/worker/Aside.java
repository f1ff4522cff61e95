// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

/** What of a session is put aside, for a daemon that did not order it. */
final class Aside {
  /** Nothing is. */
  static final String NOTHING = "nothing 0";

  private volatile String what = NOTHING;

  /** An answer of {@link SessionOrders.Order#HOLD}, or {@link #NOTHING}. */
  void is(String answer) {
    what = answer;
  }

  @Override
  public String toString() {
    return what;
  }
}
