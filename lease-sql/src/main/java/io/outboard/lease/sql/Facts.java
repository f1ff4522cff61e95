// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sql;

import java.sql.SQLException;
import java.util.Optional;

/** Single values of a store, by their names; within a whole. */
final class Facts {
  private final Sql sql;

  Facts(Sql sql) {
    this.sql = sql;
  }

  Optional<String> get(String name) throws SQLException {
    return sql.ask("SELECT value FROM fact WHERE name = ?", row -> row.getString(1), name).stream()
        .findFirst();
  }

  void put(String name, String value) throws SQLException {
    sql.run(
        "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name,
        value);
  }
}
