// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

/** The state of a session that was put aside, for a daemon that did not order that. */
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
