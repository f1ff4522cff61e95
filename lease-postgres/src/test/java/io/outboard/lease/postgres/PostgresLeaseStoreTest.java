// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Lease;
import io.outboard.lease.LeaseState;
import io.outboard.lease.store.LeaseStore;
import io.outboard.lease.store.StoreException;
import io.outboard.lease.testkit.LeaseStoreContract;
import io.outboard.lease.testkit.PostgresServer;
import io.outboard.lease.testkit.Sample;
import io.outboard.patience.Patience;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.Driver;

final class PostgresLeaseStoreTest extends LeaseStoreContract {
  /** PostgreSQL, Appendix A: exclusion_violation. */
  private static final String EXCLUDED = "23P01";

  private static PostgresServer server;
  private static int schemas;

  private PostgresServer cut;
  private String schema;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  @AfterEach
  void stopCut() {
    if (cut != null) {
      cut.close();
    }
  }

  private PostgresLocation location(PostgresServer of) {
    return PostgresLocation.parse(of.uri("?currentSchema=" + schema));
  }

  /** A schema of its own for each test. */
  @Override
  public LeaseStore open() {
    if (schema == null) {
      schema = "test" + schemas++;
      server.run("psql", "-q", "-c", "CREATE SCHEMA " + schema, PostgresServer.NAME);
    }
    return opened(() -> {});
  }

  @Override
  public LeaseStore openAfterPowerCut() {
    cut = server.afterPowerCut();
    return location(cut).open();
  }

  private Connection connection() throws SQLException {
    PostgresLocation location = location(server);
    return new Driver().connect(location.url(), location.properties());
  }

  private static void run(Connection connection, String statement) throws SQLException {
    try (Statement prepared = connection.createStatement()) {
      prepared.execute(statement);
    }
  }

  private static void hold(Connection by, String lease, int place) throws SQLException {
    run(
        by,
        "INSERT INTO hold (lease, place, node, uuid, number, model, size, arch, share, memory, since)"
            + " VALUES ('%s', %d, '', 'GPU-0', 0, '', 0, '', 600, 0, 0)".formatted(lease, place));
  }

  private void ask(String... ids) {
    try (LeaseStore store = otherwise()) {
      for (String id : ids) {
        store.request(Lease.requested(id, Sample.part("a", 1, 600, 0), Sample.NOON));
      }
    }
  }

  /** Another schema's, which is not open. */
  private LeaseStore otherwise() {
    schema = null;
    return open();
  }

  /** Whoever writes to the tables, and though neither sees what the other one writes. */
  @Test
  void theSchemaItselfGivesNoDeviceAwayTwice() throws SQLException {
    ask("one", "two");
    try (Connection one = connection();
        Connection two = connection()) {
      one.setAutoCommit(false);
      hold(one, "one", 0);
      CompletableFuture<Void> second =
          CompletableFuture.runAsync(
              () -> {
                try {
                  hold(two, "two", 0);
                } catch (SQLException e) {
                  throw new CompletionException(e);
                }
              });
      awaitBlocked(one);
      one.commit();
      CompletionException refused = assertThrows(CompletionException.class, second::join);
      assertEquals(EXCLUDED, ((SQLException) refused.getCause()).getSQLState());
    }
  }

  private static void awaitBlocked(Connection by) throws SQLException {
    try (Statement ask = by.createStatement()) {
      boolean blocked;
      do {
        var row =
            ask.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0");
        row.next();
        blocked = row.getInt(1) > 0;
      } while (!blocked);
    }
  }

  /** Parts that others left make room, wherever they lie. */
  @Test
  void sharesNeedNotLieSideBySide() {
    try (LeaseStore store = otherwise()) {
      for (String id : List.of("a", "b", "c", "d")) {
        store.request(Lease.requested(id, Sample.part("t", 1, 250, 1), Sample.NOON));
        store.grant(id, Sample.gpus(1), Sample.NOON, Sample.NOON.plus(Sample.HOUR));
      }
      store.move("a", LeaseState.RELEASED, Sample.NOON, "");
      store.move("c", LeaseState.RELEASED, Sample.NOON, "");
      store.request(Lease.requested("e", Sample.part("t", 1, 500, 1), Sample.NOON));
      assertEquals(
          LeaseState.GRANTED,
          store.grant("e", Sample.gpus(1), Sample.NOON, Sample.NOON.plus(Sample.HOUR)).state());
    }
  }

  @Test
  void theLedgerIsOnlyAddedTo() throws SQLException {
    ask("one");
    try (LeaseStore store = opened(() -> {})) {
      store.grant("one", Sample.gpus(1), Sample.NOON, Sample.NOON);
      store.move("one", LeaseState.RELEASED, Sample.NOON.plusSeconds(1), "");
    }
    try (Connection other = connection()) {
      for (String wrong :
          List.of("DELETE FROM ledger", "UPDATE ledger SET tenant = 'b'", "TRUNCATE ledger")) {
        assertThrows(SQLException.class, () -> run(other, wrong));
      }
    }
    try (LeaseStore store = opened(() -> {})) {
      assertEquals(1, store.ledger(Instant.EPOCH).size());
    }
  }

  @Test
  void aSecondBrokerWaitsForTheEndOfTheFirst() {
    try (LeaseStore first = otherwise()) {
      assertEquals(List.of(), first.alive());
      assertThrows(LedException.class, () -> location(server).open());
    }
    opened(() -> {}).close();
  }

  /** Also while nobody uses it. */
  @Test
  void whoHasLostTheLockChangesNothingAndIsTold() throws Exception {
    CountDownLatch lost = new CountDownLatch(1);
    otherwise().close();
    try (LeaseStore first = opened(lost::countDown)) {
      try (Connection other = connection()) {
        run(
            other,
            "SELECT pg_terminate_backend(l.pid) FROM pg_locks l WHERE locktype = 'advisory'"
                + " AND objid::bigint = (hashtext(current_schema())::bigint & 4294967295)");
      }
      try (LeaseStore second = opened(() -> {})) {
        assertThrows(
            StoreException.class,
            () -> first.request(Lease.requested("x", Sample.whole("a", 1), Sample.NOON)));
        assertEquals(List.of(), second.alive());
      }
      Patience.await(lost);
    }
  }

  /** The end of a session of the server takes its time. */
  private LeaseStore opened(Runnable whenLost) {
    while (true) {
      try {
        return location(server).whenLost(whenLost).open();
      } catch (LedException e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void whatIsNoStoreIsSaid() {
    for (String wrong : List.of("postgres://h/d", "postgresql://h", "postgresql:///d", "x y")) {
      assertThrows(IllegalArgumentException.class, () -> PostgresLocation.parse(wrong));
    }
    IllegalArgumentException seen =
        assertThrows(
            IllegalArgumentException.class, () -> PostgresLocation.parse("postgresql://u:p@h/d"));
    assertTrue(seen.getMessage().contains(".pgpass"), seen::toString);
    PostgresLocation gone = PostgresLocation.parse("postgresql://u@127.0.0.1:1/d");
    assertThrows(StoreException.class, gone::open);
  }
}
