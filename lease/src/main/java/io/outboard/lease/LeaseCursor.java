// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.time.Instant;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of a lease among all: first those that are not over, the oldest request first; then
 * those that are, the last end first. A lease that ends meanwhile leaves the others where they are.
 *
 * @param over whether the lease is over
 * @param moment of its end, or else of its request
 * @param id of the lease, where moments are equal
 */
public record LeaseCursor(boolean over, Instant moment, String id)
    implements Comparable<LeaseCursor> {
  private static final Pattern TEXT = Pattern.compile("([ao])(-?[0-9]{1,15})-(.{1,64})");

  private static final Comparator<LeaseCursor> ORDER =
      Comparator.comparing(LeaseCursor::over)
          .thenComparing(LeaseCursor::oldestOrLatest)
          .thenComparing(LeaseCursor::id);

  /** That of a lease. */
  public static LeaseCursor of(Lease lease) {
    boolean over = lease.state().isEnd();
    return new LeaseCursor(over, over ? lease.ended() : lease.requested(), lease.id());
  }

  private long oldestOrLatest() {
    return over ? -moment.toEpochMilli() : moment.toEpochMilli();
  }

  @Override
  public int compareTo(LeaseCursor other) {
    return ORDER.compare(this, other);
  }

  /** As {@link #parse} reads it; a text for nobody but us. */
  @Override
  public String toString() {
    return (over ? "o" : "a") + moment.toEpochMilli() + "-" + id;
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static LeaseCursor parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("'" + text + "' is no cursor of a page of leases");
    }
    return new LeaseCursor(
        parts.group(1).equals("o"),
        Instant.ofEpochMilli(Long.parseLong(parts.group(2))),
        parts.group(3));
  }
}
