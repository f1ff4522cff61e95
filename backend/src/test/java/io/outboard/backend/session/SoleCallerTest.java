// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When the leader may wait itself. */
class SoleCallerTest {
  private static final int ENOUGH = 100;
  private static final boolean NOTHING = false;
  private static final boolean SOMETHING = true;
  private static final long BRIEF_NS = 20_000;
  private static final long LONG_NS = 1_000_000;

  private final SoleCaller sole = new SoleCaller();

  /** As a program trains: one thread makes the first half of the calls, another the second. */
  private void step() {
    sole.called(2);
    sole.waited(sole.called(1), NOTHING, BRIEF_NS);
  }

  private void steps() {
    for (int i = 0; i < ENOUGH; i++) {
      step();
    }
  }

  @Test
  void oneThatCallsAlongIsAlone() {
    sole.called(1);
    assertFalse(sole.alone());
    for (int i = 0; i < ENOUGH; i++) {
      sole.called(1);
    }
    assertTrue(sole.alone());
    sole.called(2);
    assertFalse(sole.alone());
  }

  @Test
  void threadsThatTakeTurnsAreQuietWhileOneWaits() {
    step();
    assertFalse(sole.alone());
    steps();
    assertTrue(sole.alone());
    sole.called(3);
    assertTrue(sole.alone());
  }

  @Test
  void oneThatCallsMeanwhileIsNotQuiet() {
    steps();
    int before = sole.called(1);
    sole.called(2);
    sole.waited(before, NOTHING, BRIEF_NS);
    assertFalse(sole.alone());
  }

  /** Behind a leader that waits itself nobody reads. */
  @Test
  void norIsOneWhoseCallNobodyHasRead() {
    steps();
    sole.waited(sole.called(1), SOMETHING, BRIEF_NS);
    assertFalse(sole.alone());
    steps();
    assertTrue(sole.alone());
  }

  /** Then what comes during a wait of its own is to be read at once. */
  @Test
  void mayBeMetWhereOthersHaveCalledAndWaitsAreLong() {
    sole.waited(sole.called(1), NOTHING, LONG_NS);
    assertFalse(sole.mayBeMet(), "there is one thread");
    sole.called(2);
    assertTrue(sole.mayBeMet());
    sole.waited(sole.called(2), NOTHING, BRIEF_NS);
    assertTrue(sole.mayBeMet(), "a short one among long ones");
    steps();
    assertFalse(sole.mayBeMet());
  }
}
