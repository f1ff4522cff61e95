// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.audit;

import io.outboard.api.http.AddressBlock;
import io.outboard.api.json.Ordered;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says which refusals are written each for itself: the first few of an address in a minute. The
 * others are counted, and told in one line of the address when the minute is over. When a minute
 * has seen many addresses, further ones count together. Not safe for threads.
 */
public final class Refusals {
  /** Lines of an address in a minute, before the one with the count of the others. */
  public static final int LINES = 5;

  /** Addresses that are counted apart. */
  static final int ADDRESSES = 512;

  static final Duration MINUTE = Duration.ofMinutes(1);

  /** The name for all further addresses; no address is written so. */
  static final String OTHERS = "others";

  private final InstantSource clock;
  private final Map<String, Long> refused = new LinkedHashMap<>();
  private Instant begin;

  Refusals(InstantSource clock) {
    this.clock = clock;
    this.begin = clock.instant();
  }

  /** Counts a refusal; returns whether it is to have a line of its own. */
  boolean isTold(AddressBlock address) {
    boolean known = refused.containsKey(address.text()) || refused.size() < ADDRESSES;
    return refused.merge(known ? address.text() : OTHERS, 1L, Long::sum) <= LINES;
  }

  /** Lines about the minute before, if it is over; a new minute then begins. */
  List<Map<String, Object>> over() {
    Instant now = clock.instant();
    boolean goesOn = now.isBefore(begin.plus(MINUTE)) && !now.isBefore(begin);
    return goesOn ? List.of() : restart(now);
  }

  /** Lines about the minute so far, which ends with this. */
  List<Map<String, Object>> rest() {
    return restart(clock.instant());
  }

  private List<Map<String, Object>> restart(Instant now) {
    List<Map<String, Object>> lines = new ArrayList<>();
    refused.forEach(
        (address, count) -> {
          if (count > LINES) {
            lines.add(line(now, address, count - LINES));
          }
        });
    refused.clear();
    begin = now;
    return lines;
  }

  private Map<String, Object> line(Instant now, String address, long more) {
    String whose = address.equals(OTHERS) ? "other addresses" : "this address";
    return Ordered.of(
        "time",
        now.toString(),
        "address",
        address,
        "since",
        begin.toString(),
        "refused",
        more,
        "event",
        "%d more from %s in the last minute".formatted(more, whose));
  }
}
