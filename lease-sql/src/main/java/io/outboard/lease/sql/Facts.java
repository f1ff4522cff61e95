// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sql;

import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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

  /** Those whose names begin so, by the rest of their names. */
  Map<String, String> beginning(String prefix) throws SQLException {
    return sql
        .ask(
            "SELECT name, value FROM fact WHERE substr(name, 1, ?) = ?",
            row -> Map.entry(row.getString(1).substring(prefix.length()), row.getString(2)),
            prefix.length(),
            prefix)
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  void remove(String name) throws SQLException {
    sql.run("DELETE FROM fact WHERE name = ?", name);
  }

  void put(String name, String value) throws SQLException {
    sql.run(
        "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name,
        value);
  }
}
