// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The room that there will be as leases end. Rooms at a few moments are kept, so that the one of
 * any moment costs the leases that end between two of these.
 */
final class Future {
  private static final int KEPT = 32;

  private final List<Placed> ends;
  private final List<Room> kept = new ArrayList<>();
  private final List<Placed> added = new ArrayList<>();

  /**
   * Looks ahead.
   *
   * @param now the room of now
   * @param firm the leases that have devices
   */
  Future(Room now, List<Placed> firm) {
    this.ends = firm.stream().sorted(Comparator.comparing(Placed::end)).toList();
    Room room = now;
    for (int part = 0; part <= KEPT; part++) {
      room = part == 0 ? room.copy() : without(room, index(part - 1), index(part));
      kept.add(room);
    }
  }

  /** How many leases have ended at a moment that is kept. */
  private int index(int part) {
    return (int) ((long) ends.size() * part / KEPT);
  }

  private Room without(Room room, int from, int to) {
    Room next = room.copy();
    ends.subList(from, to).forEach(one -> next.release(one.lease().request(), one.places()));
    return next;
  }

  /** Somebody has devices who had none. */
  void add(Placed placed) {
    added.add(placed);
  }

  /** The moments at which leases end. */
  List<Instant> moments() {
    Stream<Instant> moments = Stream.concat(ends.stream(), added.stream()).map(Placed::end);
    return (added.isEmpty() ? moments : moments.sorted()).distinct().toList();
  }

  /** The room at a moment. */
  Room at(Instant when) {
    int over = over(when);
    int part = ends.isEmpty() ? 0 : (int) ((long) over * KEPT / ends.size());
    while (index(part) > over) {
      part--;
    }
    Room room = without(kept.get(part), index(part), over);
    for (Placed one : added) {
      if (one.end().isAfter(when)) {
        room.take(one.lease().request(), one.places());
      }
    }
    return room;
  }

  /** How many are over by then. */
  private int over(Instant when) {
    int low = 0;
    int high = ends.size();
    while (low < high) {
      int middle = (low + high) / 2;
      if (ends.get(middle).end().isAfter(when)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
