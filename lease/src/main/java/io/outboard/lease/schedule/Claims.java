// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Devices that somebody is to have at a later moment: a lease with a date, or one that waits and
 * comes first. Others have them until then only.
 */
final class Claims {
  private final List<Claim> claims = new ArrayList<>();
  // When those are out for maintenance, by their places.
  private final Map<Integer, Instant> closing = new HashMap<>();

  /** Who is to have what, from when until when. */
  record Claim(Lease lease, Instant from, Instant until, BitSet places) {
    private boolean meets(Instant begin, Instant end) {
      return begin.isBefore(until) && end.isAfter(from);
    }
  }

  void add(Lease lease, Instant from, int[] places) {
    BitSet set = new BitSet();
    for (int place : places) {
      set.set(place);
    }
    claims.add(new Claim(lease, from, from.plus(lease.request().duration()), set));
  }

  /** Nobody has a device from a moment on. */
  void close(int place, Instant from) {
    closing.put(place, from);
  }

  /** Whether somebody may have a device until a moment. */
  boolean isOpen(int place, Instant end) {
    Instant from = closing.get(place);
    return from == null || !end.isAfter(from);
  }

  /** From when on devices are out for maintenance. */
  Stream<Instant> closings() {
    return closing.values().stream();
  }

  /** Whether a device is nobody's between two moments. */
  boolean allow(int place, Instant begin, Instant end) {
    return isOpen(place, end) && conflict(place, begin, end).isEmpty();
  }

  Optional<Claim> conflict(int place, Instant begin, Instant end) {
    for (Claim claim : claims) {
      if (claim.places.get(place) && claim.meets(begin, end)) {
        return Optional.of(claim);
      }
    }
    return Optional.empty();
  }

  Optional<Claim> of(Lease lease) {
    return claims.stream().filter(claim -> claim.lease.id().equals(lease.id())).findFirst();
  }

  List<Claim> all() {
    return claims;
  }
}
