// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.communicator.region.GuestRoom;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The ranges of a guest's memory in which page-locked memory of a session lies. The client names
 * none: each is assigned first, then mapped, one after the other.
 */
final class AssignedRoom {
  /** A range that is assigned and not mapped. */
  record Range(long offset, long bytes) {}

  private final Optional<GuestRoom> room;
  private final Map<Long, Long> offsets = new HashMap<>();
  private Optional<Range> next = Optional.empty();

  AssignedRoom(Optional<GuestRoom> room) {
    this.room = room;
  }

  /** Whether there can be any. */
  boolean isPossible() {
    return room.isPresent();
  }

  /** A descriptor of the memory, where something has been assigned. */
  int descriptor() {
    return room.orElseThrow().descriptor();
  }

  /** Assigns a range, in place of one that is not mapped yet; its offset, or that of none. */
  synchronized long assign(long bytes) {
    next.ifPresent(this::give);
    long offset = room.isPresent() ? room.get().take(bytes) : GuestRoom.NONE;
    next = offset == GuestRoom.NONE ? Optional.empty() : Optional.of(new Range(offset, bytes));
    return offset;
  }

  /** Takes the range that is to be mapped next. */
  synchronized Optional<Range> take() {
    Optional<Range> taken = next;
    next = Optional.empty();
    return taken;
  }

  /** It has been mapped there. */
  synchronized void mapped(Range range, long address) {
    offsets.put(address, range.offset());
  }

  /** It could not be mapped, and is the next one again. */
  synchronized void putBack(Range range) {
    if (next.isEmpty()) {
      next = Optional.of(range);
    } else {
      give(range);
    }
  }

  /** Nothing is mapped there any more; perhaps it was of this memory. */
  synchronized void unmapped(long address) {
    Long offset = offsets.remove(address);
    if (offset != null) {
      room.orElseThrow().give(offset);
    }
  }

  private void give(Range range) {
    room.orElseThrow().give(range.offset());
  }
}
