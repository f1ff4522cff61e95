// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.postgres;

import io.outboard.lease.sql.Sql;
import io.outboard.lease.sql.SqlLeaseStore;
import io.outboard.lease.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.postgresql.Driver;

/**
 * Leases in a schema of PostgreSQL, 15 or later. A change is on the server's disk when its method
 * has returned.
 *
 * <p>One broker leads at a time: who has the schema's advisory lock. The lock belongs to the one
 * connection over which all changes go. So a broker that has lost the lock, whatever it believes,
 * can change nothing: it has lost the connection too, and its store is of no use any more. A store
 * that nobody uses looks every few seconds whether that is so.
 */
public final class PostgresLeaseStore extends SqlLeaseStore {
  /** "outb", as ASCII; the other half of the lock's name is the schema. */
  private static final int LOCK = 0x6f757462;

  private static final int OLDEST = 15;
  private static final System.Logger LOG = System.getLogger(PostgresLeaseStore.class.getName());

  private static final Duration LOOK = Duration.ofSeconds(2);

  private final Sql sql;
  private final Thread look;
  private volatile boolean closed;

  private PostgresLeaseStore(Sql sql, Runnable lost) {
    super(sql);
    this.sql = sql;
    this.look = Thread.ofVirtual().name("store").start(() -> look(lost));
  }

  private void look(Runnable lost) {
    try {
      while (!closed) {
        Thread.sleep(LOOK);
        List<Integer> unused = sql.whole(() -> sql.ask("SELECT 1", row -> row.getInt(1)));
      }
    } catch (StoreException e) {
      if (!closed) {
        LOG.log(System.Logger.Level.ERROR, e.getMessage());
        lost.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    look.interrupt();
    super.close();
  }

  static PostgresLeaseStore open(PostgresLocation location) {
    try {
      Connection connection = new Driver().connect(location.url(), location.properties());
      Sql sql = new Sql(connection, "BEGIN");
      try {
        checkVersion(connection);
        lead(sql);
        new PostgresSchema(sql).upgrade();
        return new PostgresLeaseStore(sql, location.lost());
      } catch (SQLException | RuntimeException e) {
        sql.close();
        throw e;
      }
    } catch (SQLException e) {
      throw new StoreException(
          "%s cannot be opened: %s".formatted(location.uri(), e.getMessage()), e);
    }
  }

  private static void checkVersion(Connection connection) throws SQLException {
    int major = connection.getMetaData().getDatabaseMajorVersion();
    if (major < OLDEST) {
      throw new StoreException(
          "this is PostgreSQL %d; leases want %d or later".formatted(major, OLDEST));
    }
  }

  private static void lead(Sql sql) {
    boolean leads =
        sql.whole(
            () ->
                sql.ask(
                        "SELECT pg_try_advisory_lock(?, hashtext(current_schema()))",
                        row -> row.getBoolean(1),
                        LOCK)
                    .getFirst());
    if (!leads) {
      throw new LedException();
    }
  }

  /** Each change has been forced to the disk with its end. */
  @Override
  public void settle() {}
}
