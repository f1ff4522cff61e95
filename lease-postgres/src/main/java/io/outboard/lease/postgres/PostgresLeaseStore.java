// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.postgres;

import io.outboard.lease.sql.Sql;
import io.outboard.lease.sql.SqlLeaseStore;
import io.outboard.lease.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.postgresql.Driver;

/**
 * Leases in a schema of PostgreSQL, 15 or later. Changes reach the server's disk in their order,
 * and {@link #settle} waits for that, once for all who wait: it is the end of a change over a
 * connection of its own, with which the server forces all to the disk that was written before. A
 * server that ends before loses the last ones, of which nobody has heard.
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
  private final Sql flushing;
  private final ReentrantLock settling = new ReentrantLock();
  // How many changes are on the disk.
  private final AtomicLong settled = new AtomicLong();
  private final Thread look;
  private volatile boolean closed;

  private PostgresLeaseStore(Sql sql, Sql flushing, Runnable lost) {
    super(sql);
    this.sql = sql;
    this.flushing = flushing;
    settle();
    this.look = Thread.ofVirtual().name("store").start(() -> look(lost));
  }

  private void look(Runnable lost) {
    try {
      while (!closed) {
        Thread.sleep(LOOK);
        check(sql);
        check(flushing);
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

  private static void check(Sql sql) {
    List<Integer> unused = sql.whole(() -> sql.ask("SELECT 1", row -> row.getInt(1)));
  }

  @Override
  public void close() {
    closed = true;
    look.interrupt();
    try (flushing) {
      super.close();
    }
  }

  static PostgresLeaseStore open(PostgresLocation location) {
    try {
      Connection connection = connect(location);
      Sql sql = new Sql(connection, "");
      try {
        checkVersion(connection);
        lead(sql);
        new PostgresSchema(sql).upgrade();
        sql.tell("SET synchronous_commit = off");
        return opened(sql, location);
      } catch (SQLException | RuntimeException e) {
        sql.close();
        throw e;
      }
    } catch (SQLException e) {
      throw new StoreException(
          "%s cannot be opened: %s".formatted(location.uri(), e.getMessage()), e);
    }
  }

  private static PostgresLeaseStore opened(Sql sql, PostgresLocation location) throws SQLException {
    Sql flushing = new Sql(connect(location), "");
    try {
      return new PostgresLeaseStore(sql, flushing, location.lost());
    } catch (RuntimeException e) {
      flushing.close();
      throw e;
    }
  }

  private static Connection connect(PostgresLocation location) throws SQLException {
    Connection connection = new Driver().connect(location.url(), location.properties());
    connection.setAutoCommit(false);
    return connection;
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

  @Override
  public void settle() {
    long changes = sql.changes();
    if (settled.get() < changes) {
      settling.lock();
      try {
        if (settled.get() < changes) {
          flush();
        }
      } finally {
        settling.unlock();
      }
    }
  }

  /** A change that changes nothing: what it forces to the disk is all that was before. */
  private void flush() {
    long changes = sql.changes();
    int unused = flushing.whole(() -> flushing.run("UPDATE version SET version = version"));
    settled.set(changes);
  }
}
