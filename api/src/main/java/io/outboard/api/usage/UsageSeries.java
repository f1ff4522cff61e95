// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.usage;

import io.outboard.api.json.Ordered;
import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.pool.Pool;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** GPU hours of the ledger over time, by what rows have in common; of the last so many days. */
public final class UsageSeries {
  /** By what. */
  public static final List<String> GROUPS = List.of("tenant", "model", "site");

  private static final int ROWS = 10_000;

  // The oldest rows of those days first; a ledger has more only in large pools.
  private static final int MOST_ROWS = 200_000;
  private static final double PLACES = 1e4;

  private final Pool pool;

  /** Those of a pool. */
  public UsageSeries(Pool pool) {
    this.pool = pool;
  }

  /**
   * Adds rows up.
   *
   * @param tenant whose; empty for all
   */
  public Map<String, Object> of(String by, int days, String tenant, Instant now)
      throws LeaseException {
    UsageSteps steps = new UsageSteps(by, days, now);
    boolean whole = addAll(steps, tenant);
    return Ordered.of(
        "step", steps.step().toSeconds(),
        "moments", steps.moments(),
        "series", steps.lines().stream().map(UsageSeries::series).toList(),
        "whole", whole);
  }

  /** Whether all rows were read. */
  private boolean addAll(UsageSteps steps, String tenant) throws LeaseException {
    long after = 0;
    for (int read = 0; read < MOST_ROWS; read += ROWS) {
      List<Form> rows =
          pool.ask(
              "usage",
              new Form()
                  .with("since", steps.begin().toEpochMilli())
                  .with("after", after)
                  .with("tenant", tenant)
                  .with("limit", ROWS));
      rows.forEach(steps::add);
      if (rows.size() < ROWS) {
        return true;
      }
      after = rows.getLast().number("number", 0);
    }
    return false;
  }

  private static Map<String, Object> series(UsageSteps.Line line) {
    List<BigDecimal> hours =
        line.hours().stream().map(one -> BigDecimal.valueOf(Math.round(one * PLACES), 4)).toList();
    return Ordered.of("name", line.name(), "hours", hours);
  }
}
