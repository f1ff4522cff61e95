// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The states of a lease, and which may follow which. */
public enum LeaseState {
  /** It waits for devices. */
  REQUESTED,
  /** It has devices, and nobody has used them yet. */
  GRANTED,
  /** Sessions use it. */
  ACTIVE,
  /** It was used, and no session uses it now. */
  IDLE,
  /** The state of its sessions on the devices has been put aside; others may have the devices. */
  SUSPENDED,
  /** As suspended, but nothing that its programs do brings it back: somebody has to resume it. */
  HELD,
  /** No new session may begin; it ends with the last one. */
  DRAINING,
  /** Its holder, or the end of draining, has ended it. */
  RELEASED,
  /** The operator has ended it. */
  REVOKED,
  /** Its time is over. */
  EXPIRED;

  private static final Set<LeaseState> ENDS = EnumSet.of(RELEASED, REVOKED, EXPIRED);

  /** The states that may follow; none after an end. */
  public Set<LeaseState> next() {
    return switch (this) {
      case REQUESTED -> withEnds(GRANTED);
      case GRANTED, IDLE -> withEnds(ACTIVE, SUSPENDED, HELD, DRAINING);
      case ACTIVE -> withEnds(IDLE, SUSPENDED, HELD, DRAINING);
      case SUSPENDED -> withEnds(ACTIVE, IDLE, HELD, DRAINING);
      case HELD -> withEnds(SUSPENDED, DRAINING);
      case DRAINING -> withEnds();
      case RELEASED, REVOKED, EXPIRED -> EnumSet.noneOf(LeaseState.class);
    };
  }

  private static Set<LeaseState> withEnds(LeaseState... others) {
    Set<LeaseState> states = EnumSet.copyOf(ENDS);
    states.addAll(Set.of(others));
    return states;
  }

  /** Whether another state may follow. */
  public boolean mayBecome(LeaseState other) {
    return next().contains(other);
  }

  /** Whether it is over. */
  public boolean isEnd() {
    return ENDS.contains(this);
  }

  /** Whether it has devices. */
  public boolean holds() {
    return this != REQUESTED && !isEnd();
  }

  /**
   * Whether nobody else may have what it has of its devices: a suspended one has given that away.
   */
  public boolean occupies() {
    return holds() && !isSuspended();
  }

  /** Whether what its sessions had on the devices has been put aside. */
  public boolean isSuspended() {
    return this == SUSPENDED || this == HELD;
  }

  /** Whether a session may begin. */
  public boolean admits() {
    return this == GRANTED || this == ACTIVE || this == IDLE;
  }

  /** Its name for people and for stores. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The state of a label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static LeaseState of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
