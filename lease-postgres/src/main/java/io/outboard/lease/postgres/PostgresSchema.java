// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.lease.sql.Schema;
import io.outboard.lease.sql.Sql;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** The tables in a schema of PostgreSQL. */
final class PostgresSchema extends Schema {
  /** The step to version 1 comes first. */
  private static final List<String> STEPS =
      List.of(
          "001-leases.sql",
          "002-classes.sql",
          "003-several-nodes.sql",
          "004-targets.sql",
          "005-people.sql");

  private final Sql sql;

  PostgresSchema(Sql sql) {
    super(sql, STEPS.stream().map(PostgresSchema::script).toList());
    this.sql = sql;
  }

  private static String script(String name) {
    try (InputStream script = PostgresSchema.class.getResourceAsStream(name)) {
      return new String(script.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected int found() throws SQLException {
    sql.script("CREATE TABLE IF NOT EXISTS version (version integer NOT NULL)");
    return Stream.concat(
            sql.ask("SELECT version FROM version", row -> row.getInt(1)).stream(), Stream.of(0))
        .findFirst()
        .orElseThrow();
  }

  @Override
  protected void is(int version) throws SQLException {
    if (sql.run("UPDATE version SET version = ?", version) == 0) {
      int unused = sql.run("INSERT INTO version VALUES (?)", version);
    }
  }
}
