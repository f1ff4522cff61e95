// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LeaseStateTest {
  @Test
  void everyStateCanComeAboutFromARequest() {
    Set<LeaseState> reached = EnumSet.of(LeaseState.REQUESTED);
    Deque<LeaseState> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      for (LeaseState next : open.remove().next()) {
        if (reached.add(next)) {
          open.add(next);
        }
      }
    }
    assertEquals(EnumSet.allOf(LeaseState.class), reached);
  }

  @ParameterizedTest
  @EnumSource
  void aLeaseCanBeEndedOnceAndByEverybody(LeaseState state) {
    for (LeaseState end : EnumSet.of(LeaseState.RELEASED, LeaseState.REVOKED, LeaseState.EXPIRED)) {
      assertEquals(!state.isEnd(), state.mayBecome(end), state + " to " + end);
    }
    assertFalse(state.mayBecome(state), "nothing would happen");
    assertFalse(state.mayBecome(LeaseState.REQUESTED), "a new lease is asked for");
  }

  @ParameterizedTest
  @EnumSource
  void devicesComeWithTheGrantAndGoWithTheEnd(LeaseState state) {
    assertEquals(
        state == LeaseState.REQUESTED, state.mayBecome(LeaseState.GRANTED), "granted once");
    assertEquals(state != LeaseState.REQUESTED && !state.isEnd(), state.holds());
    assertTrue(state.holds() || !state.admits(), "no session without devices");
  }

  @Test
  void nothingBeginsOnWhatDrainsOrIsSuspended() {
    assertFalse(LeaseState.DRAINING.admits());
    assertFalse(LeaseState.DRAINING.mayBecome(LeaseState.ACTIVE));
    assertFalse(LeaseState.SUSPENDED.admits());
    assertTrue(LeaseState.SUSPENDED.mayBecome(LeaseState.ACTIVE));
  }

  @ParameterizedTest
  @EnumSource
  void labelsAreReadBack(LeaseState state) {
    assertEquals(state, LeaseState.of(state.label()));
  }
}
