// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sql;

import io.outboard.lease.store.StoreException;
import java.sql.SQLException;
import java.util.List;

/**
 * The tables, and how those of an older version become these: one step a version, each a whole. A
 * step that has been in a release is never changed.
 */
public abstract class Schema {
  private final Sql sql;
  private final List<String> steps;

  /**
   * Makes one.
   *
   * @param steps statements; those to version 1 come first
   */
  protected Schema(Sql sql, List<String> steps) {
    this.sql = sql;
    this.steps = List.copyOf(steps);
  }

  /** The version of the tables that are there, 0 if there are none; within a whole. */
  protected abstract int found() throws SQLException;

  /** Writes down the version of the tables, within a whole. */
  protected abstract void is(int version) throws SQLException;

  /**
   * Brings the tables up to date.
   *
   * @throws StoreException if they are of a later version than this program knows
   */
  public final void upgrade() {
    int found = sql.whole(this::found);
    if (found > steps.size()) {
      throw new StoreException(
          "the store of leases has version %d, this program knows %d: it is of a later Outboard"
              .formatted(found, steps.size()));
    }
    for (int version = found; version < steps.size(); version++) {
      step(version);
    }
  }

  private void step(int from) {
    int unused =
        sql.whole(
            () -> {
              sql.script(steps.get(from));
              is(from + 1);
              return from;
            });
  }
}
