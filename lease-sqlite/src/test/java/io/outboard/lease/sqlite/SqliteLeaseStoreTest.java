// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.communicator.posix.Processes;
import io.outboard.lease.Gpu;
import io.outboard.lease.Identity;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.account.AccessToken;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.lease.account.Tenant;
import io.outboard.lease.store.LeaseStore;
import io.outboard.lease.store.StoreException;
import io.outboard.lease.testkit.LeaseStoreContract;
import io.outboard.lease.testkit.PowerCut;
import io.outboard.lease.testkit.Sample;
import io.outboard.wire.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteLeaseStoreTest extends LeaseStoreContract {
  private static final int OTHER_USER = 12_345;

  @TempDir private Path folder;
  private int cuts;

  private Path file() {
    return folder.resolve("state/leases.db");
  }

  @Override
  public LeaseStore open() {
    return SqliteLeaseStore.open(file());
  }

  @Override
  public LeaseStore openAfterPowerCut() {
    return SqliteLeaseStore.open(PowerCut.copy(file(), folder.resolve("cut" + cuts++)));
  }

  /** As those do that were killed. */
  @Test
  void whatEarlierProcessesUnpackedIsRemoved() throws IOException {
    Path state = Files.createDirectories(folder.resolve("earlier"));
    Path library = Files.createFile(state.resolve("sqlite-3.54.1.0-5c62b352-libsqlitejdbc.so"));
    Path mark = Files.createFile(state.resolve(library.getFileName() + ".lck"));
    Path other = Files.createFile(state.resolve("audit.jsonl"));
    SqliteLeaseStore.open(state.resolve("leases.db")).close();
    assertFalse(Files.exists(library) || Files.exists(mark), "they are left");
    assertTrue(Files.exists(other));
  }

  /** A driver that could not be unpacked would be of no use later either. */
  @Test
  void aFullDiskIsNoticedAheadAndIsNoneLater() throws Exception {
    Path disk = Files.createDirectories(folder.resolve("disk"));
    assumeTrue(
        mount("-t", "tmpfs", "-o", "size=1m,mode=700", "none", disk.toString()), "needs root");
    try {
      Path file = disk.resolve("leases.db");
      StoreException error = assertThrows(StoreException.class, () -> SqliteLeaseStore.open(file));
      assertTrue(error.getMessage().contains("make room, or name another folder"), error::toString);
      assertTrue(mount("-o", "remount,size=16m", disk.toString()));
      SqliteLeaseStore.open(file).close();
    } finally {
      new ProcessBuilder("umount", disk.toString()).inheritIO().start().waitFor();
    }
  }

  private static boolean mount(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("mount"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).start().waitFor() == 0;
  }

  private static void run(Path file, String statement) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement prepared = connection.createStatement()) {
      prepared.executeUpdate(statement);
    }
  }

  @Test
  void itsFileIsItsUsersOnly() throws IOException {
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(file().getParent())));
  }

  /** Its tokens of operators would be that user's. */
  @Test
  void whatAnotherUserHasMadeIsRefused() throws Exception {
    Path planted = folder.resolve("planted/leases.db");
    SqliteLeaseStore.open(planted).close();
    Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString("rw-rw-rw-"));
    Files.setPosixFilePermissions(
        planted.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
    SqliteLeaseStore.open(planted).close();
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(planted)));
    assertEquals(
        "rwxr-xr-x",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(planted.getParent())));
    assumeTrue(Processes.getuid() == 0, "needs root");
    Path ahead = Files.createFile(planted.resolveSibling("leases.db-wal"));
    for (Path theirs : List.of(ahead, planted, planted.getParent())) {
      Files.setAttribute(theirs, "unix:uid", OTHER_USER);
      StoreException refused =
          assertThrows(StoreException.class, () -> SqliteLeaseStore.open(planted));
      assertTrue(refused.getMessage().contains("another user's"), refused.getMessage());
      Files.setAttribute(theirs, "unix:uid", 0);
    }
  }

  @Test
  void theDriversNativePartLiesInNoFolder() throws IOException {
    String maps = Files.readString(Path.of("/proc/self/maps"));
    assertTrue(maps.contains("/memfd:sqlite"), "it is mapped");
    assertFalse(maps.contains("libsqlitejdbc"), "not from a file");
  }

  @Test
  void aSecondOneIsRefused() {
    StoreException refused = assertThrows(StoreException.class, this::open);
    assertTrue(refused.getMessage().contains("leases.db"), refused.getMessage());
  }

  @Test
  void aLaterVersionIsLeftAlone() throws SQLException {
    Path later = PowerCut.copy(file(), folder.resolve("later"));
    run(later, "PRAGMA user_version = 1000");
    StoreException refused = assertThrows(StoreException.class, () -> SqliteLeaseStore.open(later));
    assertTrue(refused.getMessage().contains("later Outboard"), refused.getMessage());
  }

  @Test
  void theLedgerIsOnlyAddedTo() throws SQLException {
    Path other = folder.resolve("other/leases.db");
    try (LeaseStore store = SqliteLeaseStore.open(other)) {
      store.request(Lease.requested("one", Sample.whole("a", 1), Sample.NOON));
      store.grant("one", Sample.gpus(1), Sample.NOON, Sample.NOON);
      store.move("one", LeaseState.RELEASED, Sample.NOON.plusSeconds(1), "");
    }
    for (String wrong : List.of("DELETE FROM ledger", "UPDATE ledger SET tenant = 'b'")) {
      assertThrows(SQLException.class, () -> run(other, wrong));
    }
    try (LeaseStore store = SqliteLeaseStore.open(other)) {
      assertEquals("a", store.ledger(Instant.EPOCH).getFirst().tenant());
    }
  }

  /** A file that a version of the schema has written. */
  private Path written(int version) throws Exception {
    Path older = folder.resolve("older/leases.db");
    Files.createDirectories(older.getParent());
    try (InputStream script = getClass().getResourceAsStream("leases-" + version + ".sql")) {
      run(older, new String(script.readAllBytes(), UTF_8));
    }
    return older;
  }

  /** The last version whose devices have no node: they are the node's that has the file. */
  @Test
  void aStoreFromBeforeNodesOpens() throws Exception {
    List<Gpu> gpus = Sample.gpus(4);
    try (LeaseStore store = SqliteLeaseStore.open(written(11))) {
      Lease alive = store.alive().getFirst();
      assertEquals(LeaseState.ACTIVE, alive.state());
      assertEquals(gpus.subList(0, 2), alive.gpus());
      assertEquals(new Identity("vm", "id", "user", "fqan", "site"), alive.request().identity());
      assertEquals(gpus.get(2), store.ledger(Instant.EPOCH).getFirst().gpu());
      assertEquals(Map.of(gpus.get(3).id(), "a fan"), store.cordons());
      store.move(alive.id(), LeaseState.RELEASED, Sample.NOON.plusSeconds(100), "");
      List<LedgerRow> rows = store.ledger(Instant.EPOCH);
      assertEquals(gpus.subList(0, 2), rows.subList(1, 3).stream().map(LedgerRow::gpu).toList());
      assertEquals(Optional.of(Duration.ofMillis(5)), rows.get(1).busy());
    }
  }

  @Test
  void aStoreOfTheFirstVersionOpens() throws Exception {
    try (LeaseStore store = SqliteLeaseStore.open(written(1))) {
      Lease alive = store.alive().getFirst();
      assertEquals(Identity.NONE, alive.request().identity());
      assertEquals(LeaseState.IDLE, alive.state());
      assertEquals("ab".repeat(32), store.secret().digits());
      store.countBusy(alive.id(), List.of(5_000_000L));
      store.move(alive.id(), LeaseState.RELEASED, Instant.ofEpochMilli(1795263400000L), "");
      List<LedgerRow> rows = store.ledger(Instant.EPOCH);
      assertEquals(List.of("bob", "alice"), rows.stream().map(LedgerRow::tenant).toList());
      assertEquals(List.of(3L, 7L), rows.stream().map(LedgerRow::bytesIn).toList());
      assertEquals(
          List.of(Optional.empty(), Optional.of(Duration.ofMillis(5))),
          rows.stream().map(LedgerRow::busy).toList());
      assertTrue(rows.stream().allMatch(row -> row.gpu().architecture().isEmpty()));
      assertEquals(1_800_000, store.accounts().spent("bob", Instant.EPOCH));
    }
  }

  @Test
  void whatIsNoStoreIsSaid() throws IOException {
    Path wrong = folder.resolve("wrong/leases.db");
    Files.createDirectories(wrong.getParent());
    Files.writeString(wrong, "this is no store of leases, and a long enough text to see that");
    assertThrows(StoreException.class, () -> SqliteLeaseStore.open(wrong));
  }

  /** As an Outboard wrote them that took any number of seconds. */
  @Test
  void aRowThatCannotBeReadIsSetAsideAndTheOthersStay() throws Exception {
    Path damaged = folder.resolve("damaged/leases.db");
    try (LeaseStore store = SqliteLeaseStore.open(damaged)) {
      for (String id : List.of("whole", "endless", "wrong", "early")) {
        store.request(Lease.requested(id, Sample.part(id, 1, 200, 1), Sample.NOON));
        store.grant(id, Sample.gpus(1), Sample.NOON, Sample.NOON.plus(Sample.HOUR));
      }
      store.accounts().set(new Tenant("poor", Optional.of(Duration.ofSeconds(9))));
      store.accounts().set(new Tenant("rich", Optional.of(Duration.ofSeconds(9))));
      store.accounts().add(token("good"), Bytes.of(new byte[32]));
      store.accounts().add(token("bad"), Bytes.of(new byte[] {1}));
      store.seen(Sample.NOON.plusSeconds(60));
    }
    run(damaged, "UPDATE lease SET seconds = 9223372036854775807 WHERE id = 'endless'");
    run(damaged, "UPDATE lease SET mode = 'what' WHERE id = 'wrong'");
    run(damaged, "UPDATE lease SET expires = -9223372036854775808 WHERE id = 'early'");
    run(damaged, "UPDATE tenant SET budget = 9223372036854775807 WHERE name = 'poor'");
    run(damaged, "UPDATE token SET role = 'king' WHERE id = 'bad'");
    run(damaged, "UPDATE fact SET value = 'x' WHERE name = 'epoch' OR name = 'secret'");
    try (LeaseStore store = SqliteLeaseStore.open(damaged)) {
      assertEquals(List.of("whole"), store.alive().stream().map(Lease::id).toList());
      assertEquals(Optional.empty(), store.find("endless"));
      assertEquals(
          List.of("early", "endless"),
          store.ledger(Instant.EPOCH).stream().map(LedgerRow::lease).toList(),
          "the time of the third one has a mode that cannot be read either");
      assertEquals(List.of("good"), names(store));
      assertEquals(
          List.of(Duration.ZERO, Duration.ofSeconds(9)),
          store.accounts().tenants().stream().map(one -> one.budget().get()).toList());
      store.request(Lease.requested("next", Sample.part("a", 1, 800, 1), Sample.NOON));
      Lease next = store.grant("next", Sample.gpus(1), Sample.NOON, Sample.NOON.plus(Sample.HOUR));
      assertEquals(5, next.epoch());
    }
  }

  private static AccessToken token(String id) {
    return new AccessToken(id, new Standing(Role.READER, ""), "", Sample.NOON, Sample.NOON, false);
  }

  private static List<String> names(LeaseStore store) {
    return store.accounts().tokens().values().stream().map(AccessToken::id).toList();
  }
}
