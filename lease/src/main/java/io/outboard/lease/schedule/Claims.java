// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Devices that somebody is to have at a later moment: a lease with a date, or one that waits and
 * comes first. Others have them until then only.
 */
final class Claims {
  private final List<Claim> claims = new ArrayList<>();

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

  /** Whether a device is nobody's between two moments. */
  boolean allow(int place, Instant begin, Instant end) {
    return conflict(place, begin, end).isEmpty();
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
