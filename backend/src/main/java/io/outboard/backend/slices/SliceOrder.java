// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import io.outboard.backend.quota.SlicePlace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Whose time slice it is on a device: start-time fair queueing (Goyal, Vin, Cheng: Start-time Fair
 * Queuing, SIGCOMM 1996) of parties that each have a share.
 *
 * <p>One party has the device at a time. It is charged for the time that it has it, divided by its
 * share, and who has been charged least comes next. Nobody is charged for time that nobody else
 * wanted, nor saves up time that it did not want: a party that comes back after a while begins
 * where the others are, at most a slice ahead of them. A party that does not give the device back
 * in time keeps its work there, beside others, and is charged for it; for a second, since the next
 * piece of work may be what it waits for.
 *
 * <p>Times are nanoseconds of one clock; no method waits.
 */
final class SliceOrder {
  /** After so long somebody else who has had less gets the device. */
  static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The same where the other one was away and has a whole slice to come. */
  static final long LEAST_NS = TimeUnit.MILLISECONDS.toNanos(2);

  /** A party that has been asked to give the device back has so long. */
  static final long GRACE_NS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Most time that is charged to a party that does not give the device back. */
  static final long MOST_LATE_NS = TimeUnit.SECONDS.toNanos(1);

  /** A party that was away for less keeps its claim. */
  static final long ABSENCE_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /** {@link #next} where nothing is to come. */
  static final long NEVER = Long.MAX_VALUE;

  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int WHOLE = 1_000;

  private enum State {
    IDLE,
    WAITING,
    HOLDING,
    /** It was asked to give the device back and has not. */
    LATE
  }

  /** One that shares the device. */
  static final class Party {
    private int share;
    private State state = State.IDLE;
    // Nanoseconds by share: of a party with all of the device, nanoseconds.
    private long charged;
    // When its state began.
    private long since;
    private long asked;
    private boolean yields;
    // Whether it was away before it waited.
    private boolean returns;

    private Party(int share, long charged) {
      this.share = share;
      this.charged = charged;
    }

    int share() {
      return share;
    }

    private boolean isActive() {
      return state == State.WAITING || state == State.HOLDING;
    }

    private boolean isCharged(long now) {
      return state == State.HOLDING || (state == State.LATE && now - asked < MOST_LATE_NS);
    }

    private boolean comes() {
      return state == State.WAITING || state == State.LATE;
    }
  }

  // The one that was chosen last is the last.
  private final List<Party> parties = new ArrayList<>();
  private Party holder;
  private long clock;
  private long last;

  /** One more, with thousandths of the device. */
  Party join(int share) {
    Party party = new Party(share, clock);
    parties.add(party);
    return party;
  }

  /** One has gone. */
  void leave(Party party, long now) {
    left(party, now);
    parties.remove(party);
  }

  /** From now on it has another share. */
  void share(Party party, int share, long now) {
    charge(now);
    party.share = share;
  }

  /** It wants the device. */
  void wants(Party party, long now) {
    charge(now);
    if (party.state == State.IDLE) {
      party.returns = now > party.since;
      if (now - party.since > ABSENCE_NS) {
        party.charged = Math.max(party.charged, clock - scaled(SLICE_NS, party));
      }
      party.state = State.WAITING;
    }
  }

  /** It has given the device back, or does not want it any more. */
  void left(Party party, long now) {
    charge(now);
    party.state = State.IDLE;
    party.since = now;
    party.yields = false;
    if (holder == party) {
      holder = null;
    }
  }

  /** The party that has the device exclusively from now on, or null. */
  Party step(long now) {
    charge(now);
    if (holder != null && holder.yields && now - holder.asked >= GRACE_NS) {
      holder.state = State.LATE;
      holder = null;
    }
    if (holder == null) {
      choose(now);
    } else if (!holder.yields && isDue(now)) {
      holder.yields = true;
      holder.asked = now;
    }
    return holder;
  }

  /** When to look again at the latest. */
  long next(long now) {
    if (holder == null) {
      return NEVER;
    }
    return holder.yields ? holder.asked + GRACE_NS : isContended() ? now + LOOK_NS : NEVER;
  }

  boolean isIdle(Party party) {
    return party.state == State.IDLE;
  }

  boolean isWaiting(Party party) {
    return party.state == State.WAITING;
  }

  /** The orders to a party that has the device. */
  long demand(Party party) {
    if (party.state == State.LATE || party.yields) {
      return SlicePlace.YIELD;
    }
    return isContended() ? SlicePlace.CONTENDED : SlicePlace.NONE;
  }

  private boolean isContended() {
    return parties.stream().anyMatch(Party::comes);
  }

  private void charge(long now) {
    long time = now - last;
    last = now;
    long least = Long.MAX_VALUE;
    for (Party party : parties) {
      if (party.isCharged(now)) {
        party.charged += scaled(time, party);
      }
      if (party.isActive()) {
        least = Math.min(least, party.charged);
      }
    }
    if (least != Long.MAX_VALUE) {
      clock = Math.max(clock, least);
    }
  }

  private static long scaled(long time, Party party) {
    return time * WHOLE / party.share;
  }

  /** The claim of a waiting party, beside the one that has the device. */
  private long owed(Party party) {
    return (holder.charged - party.charged) * party.share / WHOLE;
  }

  private boolean isDue(long now) {
    long held = now - holder.since;
    for (Party party : parties) {
      boolean behind = party.comes() && party.charged < holder.charged;
      boolean urgent = party.returns && owed(party) >= SLICE_NS;
      if (behind && held >= (urgent ? LEAST_NS : SLICE_NS)) {
        return true;
      }
    }
    return false;
  }

  private void choose(long now) {
    Party least = null;
    for (Party party : parties) {
      if (party.comes() && (least == null || party.charged < least.charged)) {
        least = party;
      }
    }
    if (least != null) {
      least.state = State.HOLDING;
      least.yields = false;
      least.since = now;
      parties.remove(least);
      parties.add(least);
      holder = least;
    }
  }
}
