// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.time.Instant;

/**
 * Which rows of the ledger are wanted.
 *
 * @param since only those that end later
 * @param after only those with a higher number
 * @param tenant whose; empty for all
 * @param most so many at most, those with the lowest numbers
 */
public record LedgerQuery(Instant since, long after, String tenant, int most) {
  /** All that end after a moment. */
  public static LedgerQuery since(Instant moment) {
    return new LedgerQuery(moment, 0, "", Integer.MAX_VALUE);
  }

  public static LedgerQuery of(Form form) {
    return new LedgerQuery(
        Instant.ofEpochMilli(Parameter.SINCE.of(form, 0)),
        Parameter.AFTER.of(form, 0),
        form.get("tenant"),
        Parameter.LIMIT.count(form, Integer.MAX_VALUE));
  }
}
