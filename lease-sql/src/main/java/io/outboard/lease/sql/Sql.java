// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sql;

import io.outboard.lease.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Statements over a connection. */
public final class Sql implements AutoCloseable {
  private final Connection connection;
  private final String begin;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  // Guarded by this object's monitor: wholes that have changed something.
  private boolean changing;
  private long changes;

  /**
   * Takes a connection, which is closed with this.
   *
   * @param begin the statement with which a whole begins; empty where the driver begins it with the
   *     first statement, in the same message
   */
  public Sql(Connection connection, String begin) {
    this.connection = connection;
    this.begin = begin;
  }

  /** Makes an object of a row. */
  @FunctionalInterface
  public interface Row<T> {
    T of(ResultSet row) throws SQLException;
  }

  /** Work that is done as a whole or not at all. */
  @FunctionalInterface
  public interface Work<T> {
    T run() throws SQLException;
  }

  /** Runs a statement; returns how many rows it changed. */
  public int run(String statement, Object... values) throws SQLException {
    changing = true;
    return prepare(statement, values).executeUpdate();
  }

  /** Runs any number of statements. */
  public void script(String statements) throws SQLException {
    changing = true;
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(statements);
    }
  }

  /** Runs a command outside of any whole, as one that sets what is the connection's own. */
  public void tell(String command) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(command);
    }
  }

  /** How many wholes have changed something up to now. */
  public synchronized long changes() {
    return changes;
  }

  /** Asks. */
  public <T> List<T> ask(String statement, Row<T> row, Object... values) throws SQLException {
    try (ResultSet answer = prepare(statement, values).executeQuery()) {
      List<T> rows = new ArrayList<>();
      while (answer.next()) {
        rows.add(row.of(answer));
      }
      return rows;
    }
  }

  /** Statements are few and constant, so that each is compiled once. */
  private PreparedStatement prepare(String statement, Object... values) throws SQLException {
    PreparedStatement prepared = statements.get(statement);
    if (prepared == null) {
      prepared = connection.prepareStatement(statement);
      statements.put(statement, prepared);
    }
    for (int i = 0; i < values.length; i++) {
      prepared.setObject(i + 1, values[i]);
    }
    return prepared;
  }

  /** Does something as a whole; where it throws, nothing has been done. */
  public synchronized <T> T whole(Work<T> work) {
    try {
      changing = false;
      begin();
      try {
        T result = work.run();
        commit();
        changes += changing ? 1 : 0;
        return result;
      } catch (SQLException | RuntimeException e) {
        rollBack(e);
        throw e;
      }
    } catch (SQLException e) {
      throw new StoreException("the store of leases cannot be used: " + e.getMessage(), e);
    }
  }

  private void begin() throws SQLException {
    if (!begin.isEmpty()) {
      tell(begin);
    }
  }

  private void commit() throws SQLException {
    if (begin.isEmpty()) {
      connection.commit();
    } else {
      tell("COMMIT");
    }
  }

  private void rollBack(Exception cause) {
    try {
      if (begin.isEmpty()) {
        connection.rollback();
      } else {
        tell("ROLLBACK");
      }
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new StoreException("the store of leases was not closed: " + e.getMessage(), e);
    }
  }
}
