// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sqlite;

import io.outboard.communicator.posix.PrivateFiles;
import io.outboard.lease.Architecture;
import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.IdleStep;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseCursor;
import io.outboard.lease.LeaseQuery;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.Load;
import io.outboard.lease.account.AccountStore;
import io.outboard.lease.store.LeaseStore;
import io.outboard.lease.store.StoreException;
import io.outboard.wire.Token;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Leases in a file of SQLite, written ahead (WAL). SQLite itself forces to the disk what it needs
 * for the file to be whole; {@link #settle} forces what was written ahead, for all who wait. As it
 * is written in the order of the changes, a power cut before that loses only the last ones, of
 * which nobody has heard. One process has it at a time.
 */
public final class SqliteLeaseStore implements LeaseStore {
  /** SQLITE_BUSY. */
  private static final int BUSY = 5;

  private static final System.Logger LOG = System.getLogger(SqliteLeaseStore.class.getName());
  private static final String SECRET = "secret";

  /** The beginning of a fact's name, before a device's UUID. */
  private static final String CORDON = "cordon ";

  private static final String EPOCH = "epoch";
  private static final String SEEN = "seen";

  /** The user of a lease, and the way of use. */
  private static final String USE = "consumer_type, consumer_id, user, fqan, site, mode";

  /** Of the disk, for the first leases, and the driver's native part where it is unpacked. */
  private static final long LEAST_ROOM = 4 << 20;

  /** The file that the driver unpacks, and a file beside it that says that it is in use. */
  private static final String UNPACKED = "sqlite-*-libsqlitejdbc.so{,.lck}";

  /** A suspended lease has no time to write down, but perhaps bytes of a call that waits. */
  private static final String CARRIES = " AND (h.bytes_in > 0 OR h.bytes_out > 0)";

  private static final String SUSPENDED =
      "(SELECT id FROM lease WHERE state IN ('suspended', 'held'))";

  private final Sql sql;
  private final SqliteRows rows;
  private final Token secret;
  private final DiskWriter ahead;
  // How many changes are on the disk.
  private final AtomicLong settled = new AtomicLong();

  private SqliteLeaseStore(Sql sql, Path file) throws IOException {
    this.sql = sql;
    this.rows = new SqliteRows(sql);
    sql.whole(this::setDamagedAside);
    this.secret = sql.whole(this::loadSecret);
    this.ahead = new DiskWriter(file.resolveSibling(file.getFileName() + "-wal"));
    settle();
  }

  /**
   * Opens the store in a file, which is made where it is missing, readable by its user only.
   *
   * @throws StoreException also if another process has it, or a later version has written it
   */
  public static SqliteLeaseStore open(Path file) {
    try {
      prepare(file);
      Sql sql = new Sql(DriverManager.getConnection("jdbc:sqlite:" + file));
      try {
        configure(sql);
        SqliteSchema.upgrade(sql);
        SqliteLeaseStore store = new SqliteLeaseStore(sql, file);
        removeUnpacked(file.getParent());
        return store;
      } catch (IOException | SQLException | RuntimeException e) {
        sql.close();
        throw e;
      }
    } catch (IOException | SQLException e) {
      throw new StoreException("%s cannot be opened: %s".formatted(file, reason(e)), e);
    }
  }

  /** Why no store can be made in a file, if that is seen already. */
  static Optional<String> obstacle(Path file) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      while (Files.notExists(folder)) {
        folder = folder.getParent();
      }
      checkRoom(folder);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e.getMessage());
    }
  }

  private static String reason(Exception cause) {
    return cause instanceof SQLException error && error.getErrorCode() == BUSY
        ? "another backend keeps its leases there ('serve --state' names another folder)"
        : cause.getMessage();
  }

  /** Another user's file would have tokens of operators that we do not know. */
  private static void prepare(Path file) throws IOException {
    Path folder = file.getParent();
    PrivateFiles.own(folder);
    checkRoom(folder);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder, file.getFileName() + "{,-wal,-shm,-journal}")) {
      for (Path part : files) {
        PrivateFiles.ownFile(part);
      }
    }
    NativeDriver.prepare(folder);
  }

  /**
   * The driver's native part is loaded by now. Where it had to be unpacked, the driver itself
   * removes it when the process ends in order, which one that is killed does not, and a megabyte
   * would stay of each.
   */
  private static void removeUnpacked(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, UNPACKED)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** A driver that could not be unpacked is of no use until this process ends. */
  private static void checkRoom(Path folder) throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace();
    if (free < LEAST_ROOM) {
      throw new IOException(
          "%d KiB are free in its folder, and it takes %d: make room, or name another folder with 'serve --state'"
              .formatted(free >> 10, LEAST_ROOM >> 10));
    }
  }

  /** The exclusive lock is held from the first write on, which is the schema's or the secret's. */
  private static void configure(Sql sql) throws SQLException {
    sql.set("locking_mode = EXCLUSIVE");
    sql.set("journal_mode = WAL");
    sql.set("synchronous = NORMAL");
    sql.set("foreign_keys = ON");
  }

  /**
   * A lease whose row cannot be read is over: its devices are free, its time up to the last sign of
   * life is in the ledger, and its row stays for people to look at.
   */
  private int setDamagedAside() throws SQLException {
    int count = 0;
    for (String id : sql.ask("SELECT id FROM lease WHERE ended = 0", row -> row.getString(1))) {
      Optional<String> damage = rows.damage(id);
      if (damage.isPresent()) {
        setAside(id, damage.get());
        count++;
      }
    }
    return count;
  }

  private void setAside(String id, String why) throws SQLException {
    LOG.log(
        System.Logger.Level.ERROR,
        "the row of lease {0} cannot be read: {1}; it is set aside, and the lease is over",
        id,
        why);
    Instant last = Instant.ofEpochMilli(Math.max(1, numericFact(SEEN)));
    write("h.lease = ?", 1, last, id);
    sql.run("DELETE FROM hold WHERE lease = ?", id);
    sql.run(
        "UPDATE lease SET ended = ?, reason = ? WHERE id = ?",
        last.toEpochMilli(),
        "set aside: " + why,
        id);
  }

  private Token loadSecret() throws SQLException {
    Optional<String> known = fact(SECRET);
    try {
      if (known.isPresent()) {
        return Token.parse(known.get());
      }
    } catch (IllegalArgumentException e) {
      LOG.log(
          System.Logger.Level.ERROR,
          "the store''s secret cannot be read, and another one is made: tokens of leases that are"
              + " there are good no more; ''outboard leases --token'' says the new ones");
    }
    Token fresh = Token.random();
    fact(SECRET, fresh.digits());
    return fresh;
  }

  /** A whole number, 0 where it is missing or none. */
  private long numericFact(String name) throws SQLException {
    String text = fact(name).orElse("0");
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      LOG.log(System.Logger.Level.ERROR, "''{0}'' of the store is no number: {1}", name, text);
      return 0;
    }
  }

  private Optional<String> fact(String name) throws SQLException {
    return sql.ask("SELECT value FROM fact WHERE name = ?", row -> row.getString(1), name).stream()
        .findFirst();
  }

  private void fact(String name, String value) throws SQLException {
    sql.run(
        "INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        name,
        value);
  }

  @Override
  public Token secret() {
    return secret;
  }

  @Override
  public void request(Lease lease) {
    LeaseRequest request = lease.request();
    int unused =
        sql.whole(
            () ->
                sql.run(
                    "INSERT INTO lease (id, tenant, consumer, gpus, model, memory, share, priority,"
                        + " seconds, placement, arch, profile, grace, keep, idle_suspend, idle_revoke,"
                        + " state, epoch, requested, granted, expires, reason,"
                        + USE
                        + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, 0, 0,"
                        + " '', ?, ?, ?, ?, ?, ?)",
                    lease.id(),
                    request.tenant(),
                    request.consumer(),
                    request.gpus(),
                    request.model(),
                    request.memory(),
                    request.share(),
                    request.priority(),
                    request.duration().toSeconds(),
                    request.placement().label(),
                    Architecture.label(request.architecture()),
                    request.profile(),
                    request.grace().map(Duration::toSeconds).orElse(null),
                    request.keep().toSeconds(),
                    request.idle().seconds(IdleStep.SUSPEND),
                    request.idle().seconds(IdleStep.REVOKE),
                    LeaseState.REQUESTED.label(),
                    lease.requested().toEpochMilli(),
                    request.identity().type(),
                    request.identity().id(),
                    request.identity().user(),
                    request.identity().fqan(),
                    request.identity().site(),
                    request.mode().label()));
  }

  @Override
  public Lease grant(String id, List<Gpu> gpus, Instant now, Instant expires) {
    return sql.whole(
        () -> {
          Lease lease = alive(id);
          check(lease.state() == LeaseState.REQUESTED, "lease " + id + " does not wait");
          for (int place = 0; place < gpus.size(); place++) {
            hold(lease, gpus.get(place), place, now);
          }
          long epoch = Math.max(numericFact(EPOCH), highestEpoch()) + 1;
          fact(EPOCH, Long.toString(epoch));
          sql.run(
              "UPDATE lease SET state = ?, epoch = ?, granted = ?, expires = ? WHERE id = ?",
              LeaseState.GRANTED.label(),
              epoch,
              now.toEpochMilli(),
              expires.toEpochMilli(),
              id);
          return alive(id);
        });
  }

  /** That of the leases themselves: no two grants have the same, whatever is written beside. */
  private long highestEpoch() throws SQLException {
    return sql.ask("SELECT coalesce(max(epoch), 0) FROM lease", row -> row.getLong(1)).getFirst();
  }

  private void hold(Lease lease, Gpu gpu, int place, Instant now) throws SQLException {
    LeaseRequest request = lease.request();
    checkRoom(request, gpu);
    sql.run(
        "INSERT INTO hold (lease, place, node, uuid, number, model, size, arch, share, memory, since)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        lease.id(),
        place,
        gpu.node(),
        gpu.uuid(),
        gpu.number(),
        gpu.model(),
        gpu.memory(),
        Architecture.label(gpu.architecture()),
        request.share(),
        request.isCommon() ? 0 : request.memoryOf(gpu),
        now.toEpochMilli());
  }

  private void checkRoom(LeaseRequest request, Gpu gpu) throws SQLException {
    check(load(gpu).hasRoom(request, gpu), "%s has no room for it".formatted(gpu.uuid()));
  }

  private Load load(Gpu gpu) throws SQLException {
    return sql.ask(
            "SELECT coalesce(sum(share), 0), coalesce(sum(memory), 0), coalesce(sum(share = 0), 0)"
                + " FROM hold WHERE uuid = ? AND node = ? AND lease NOT IN "
                + SUSPENDED,
            row -> new Load(row.getInt(1), row.getLong(2), row.getInt(3)),
            gpu.uuid(),
            gpu.node())
        .getFirst();
  }

  @Override
  public Lease move(String id, LeaseState to, Instant now, String reason) {
    return sql.whole(
        () -> {
          Lease lease = alive(id);
          LeaseState from = lease.state();
          check(
              from.mayBecome(to),
              "lease %s is %s and cannot become %s".formatted(id, from.label(), to.label()));
          if (from.isSuspended() && !to.isSuspended()) {
            goOn(lease, to, now);
          } else if (to.isSuspended() && !from.isSuspended()) {
            write("h.lease = ?", 0, now, id);
            begin("lease = ?", now, id);
          }
          sql.run(
              "UPDATE lease SET state = ?, reason = ?, ended = ? WHERE id = ?",
              to.label(),
              reason,
              to.isEnd() ? now.toEpochMilli() : 0,
              id);
          if (to.isEnd()) {
            write("h.lease = ?" + (from.isSuspended() ? CARRIES : ""), 1, now, id);
            sql.run("DELETE FROM hold WHERE lease = ?", id);
          }
          return rows.leases("WHERE id = ?", id).getFirst();
        });
  }

  /** Time in which it was suspended is nobody's; its devices must have room for it again. */
  private void goOn(Lease lease, LeaseState to, Instant now) throws SQLException {
    if (to.occupies()) {
      for (Gpu gpu : lease.gpus()) {
        checkRoom(lease.request(), gpu);
      }
    }
    sql.run("UPDATE hold SET since = ? WHERE lease = ?", now.toEpochMilli(), lease.id());
  }

  @Override
  public Lease replace(String id, List<Gpu> gpus) {
    return sql.whole(
        () -> {
          Lease lease = alive(id);
          boolean suspended = lease.state() == LeaseState.SUSPENDED;
          check(suspended, "lease %s is %s".formatted(id, lease.state().label()));
          check(gpus.size() == lease.gpus().size(), "lease %s has another number".formatted(id));
          for (int place = 0; place < gpus.size(); place++) {
            replace(id, place, gpus.get(place));
          }
          return alive(id);
        });
  }

  private void replace(String id, int place, Gpu gpu) throws SQLException {
    sql.run(
        "UPDATE hold SET node = ?, uuid = ?, number = ?, model = ?, size = ?, arch = ?"
            + " WHERE lease = ? AND place = ?",
        gpu.node(),
        gpu.uuid(),
        gpu.number(),
        gpu.model(),
        gpu.memory(),
        Architecture.label(gpu.architecture()),
        id,
        place);
  }

  @Override
  public Lease renew(String id, Instant expires) {
    return sql.whole(
        () -> {
          LeaseState state = alive(id).state();
          check(state.holds(), "lease %s is %s".formatted(id, state.label()));
          sql.run("UPDATE lease SET expires = ? WHERE id = ?", expires.toEpochMilli(), id);
          return alive(id);
        });
  }

  @Override
  public Lease fetched(String id) {
    return sql.whole(
        () -> {
          sql.run("UPDATE lease SET keep = 0 WHERE id = ?", id);
          return alive(id);
        });
  }

  @Override
  public Lease share(String id, int share, long memory, Instant now) {
    return sql.whole(
        () -> {
          Lease lease = alive(id);
          check(lease.state().occupies(), "lease %s is %s".formatted(id, lease.state().label()));
          write("h.lease = ?", 0, now, id);
          sql.run("DELETE FROM hold WHERE lease = ?", id);
          sql.run("UPDATE lease SET share = ?, memory = ? WHERE id = ?", share, memory, id);
          Lease changed = alive(id);
          for (int place = 0; place < lease.gpus().size(); place++) {
            hold(changed, lease.gpus().get(place), place, now);
          }
          return alive(id);
        });
  }

  @Override
  public void countBusy(String id, List<Long> nanoseconds) {
    int unused =
        sql.whole(
            () -> {
              for (int place = 0; place < nanoseconds.size(); place++) {
                addBusy(id, place, nanoseconds.get(place));
              }
              return 0;
            });
  }

  @Override
  public void countBusy(String id, int place, long nanoseconds) {
    int unused = sql.whole(() -> addBusy(id, place, nanoseconds));
  }

  private int addBusy(String id, int place, long nanoseconds) throws SQLException {
    return sql.run(
        "UPDATE hold SET busy = coalesce(busy, 0) + ? WHERE lease = ? AND place = ?",
        nanoseconds,
        id,
        place);
  }

  @Override
  public void countEnergy(String id, int place, long millijoules) {
    int unused =
        sql.whole(
            () ->
                sql.run(
                    "UPDATE hold SET energy = coalesce(energy, 0) + ? WHERE lease = ? AND place ="
                        + " ?",
                    millijoules,
                    id,
                    place));
  }

  @Override
  public void count(String id, long bytesIn, long bytesOut) {
    int unused =
        sql.whole(
            () ->
                sql.run(
                    "UPDATE hold SET bytes_in = bytes_in + ?, bytes_out = bytes_out + ?"
                        + " WHERE lease = ? AND place = 0",
                    bytesIn,
                    bytesOut,
                    id));
  }

  @Override
  public void roll(Instant now) {
    int unused =
        sql.whole(
            () -> {
              write("h.lease NOT IN " + SUSPENDED + " AND h.since < ?", 0, now, now.toEpochMilli());
              return begin("lease NOT IN " + SUSPENDED + " AND since < ?", now, now.toEpochMilli());
            });
  }

  /** Begins the next row, without the figures that a row has been written of. */
  private int begin(String which, Instant now, Object value) throws SQLException {
    return sql.run(
        "UPDATE hold SET since = ?, bytes_in = 0, bytes_out = 0, busy = NULL, energy = NULL WHERE "
            + which,
        now.toEpochMilli(),
        value);
  }

  /**
   * Adds a row for each device of some leases. A clock that was set back makes no negative time.
   */
  private void write(String which, int last, Instant now, Object value) throws SQLException {
    sql.run(
        "INSERT INTO ledger (lease, tenant, consumer, epoch, node, gpu, uuid, model, size, arch, share,"
            + " begun, ended, bytes_in, bytes_out, busy, energy, last, "
            + USE
            + ") SELECT h.lease, l.tenant, l.consumer, l.epoch, h.node, h.number, h.uuid, h.model, h.size,"
            + " h.arch, h.share, h.since, max(h.since, ?), h.bytes_in, h.bytes_out, h.busy,"
            + " h.energy, ?, "
            + USE
            + " FROM hold h JOIN lease l ON l.id = h.lease WHERE "
            + which
            + " ORDER BY h.lease, h.place",
        now.toEpochMilli(),
        last,
        value);
  }

  @Override
  public void shift(Duration by) {
    long milliseconds = by.toMillis();
    int unused =
        sql.whole(
            () -> {
              sql.run("UPDATE hold SET since = since + ?", milliseconds);
              sql.run("UPDATE lease SET requested = requested + ? WHERE ended = 0", milliseconds);
              sql.run(
                  "UPDATE lease SET granted = granted + ? WHERE ended = 0 AND granted > 0",
                  milliseconds);
              sql.run(
                  "UPDATE lease SET expires = expires + ? WHERE ended = 0 AND expires > 0",
                  milliseconds);
              fact(SEEN, Long.toString(numericFact(SEEN) + milliseconds));
              return 0;
            });
  }

  @Override
  public Map<GpuId, String> cordons() {
    return sql.whole(
        () ->
            sql
                .ask(
                    "SELECT name, value FROM fact WHERE substr(name, 1, ?) = ?",
                    row -> Map.entry(row.getString(1), row.getString(2)),
                    CORDON.length(),
                    CORDON)
                .stream()
                .collect(Collectors.toMap(fact -> cordoned(fact.getKey()), Map.Entry::getValue)));
  }

  /**
   * The name of the fact that a device is out: its UUID, and its node where that is another one.
   */
  private static String cordon(GpuId device) {
    return CORDON + device.uuid() + (device.node().isEmpty() ? "" : " " + device.node());
  }

  private static GpuId cordoned(String fact) {
    String[] parts = fact.substring(CORDON.length()).split(" ", 2);
    return new GpuId(parts.length > 1 ? parts[1] : Gpu.HERE, parts[0]);
  }

  @Override
  public void cordon(GpuId device, String why) {
    int unused =
        sql.whole(
            () -> {
              fact(cordon(device), why);
              return 0;
            });
  }

  @Override
  public void uncordon(GpuId device) {
    int unused =
        sql.whole(
            () -> {
              sql.run("DELETE FROM fact WHERE name = ?", cordon(device));
              return 0;
            });
  }

  @Override
  public void seen(Instant now) {
    int unused =
        sql.whole(
            () -> {
              fact(SEEN, Long.toString(now.toEpochMilli()));
              return 0;
            });
  }

  @Override
  public Instant seen() {
    return sql.whole(() -> Instant.ofEpochMilli(numericFact(SEEN)));
  }

  @Override
  public Optional<Lease> find(String id) {
    return sql.whole(() -> rows.leases("WHERE id = ?", id).stream().findFirst());
  }

  @Override
  public List<Lease> alive() {
    return sql.whole(() -> rows.leases("WHERE ended = 0 ORDER BY requested, id"));
  }

  @Override
  public List<Lease> over(LeaseQuery wanted, int most) {
    Optional<LeaseCursor> after = wanted.after().filter(LeaseCursor::over);
    long before = after.map(cursor -> cursor.moment().toEpochMilli()).orElse(Long.MAX_VALUE);
    String id = after.map(LeaseCursor::id).orElse("");
    String behind =
        "ended > 0 AND ended <= ? AND (ended < ? OR id > ?) ORDER BY ended DESC, id LIMIT ?";
    return sql.whole(
        () ->
            wanted.tenant().isEmpty()
                ? rows.leases("WHERE " + behind, before, before, id, most)
                : rows.leases(
                    "WHERE tenant = ? AND " + behind, wanted.tenant(), before, before, id, most));
  }

  private Lease alive(String id) throws SQLException {
    List<Lease> found = rows.leases("WHERE id = ?", id);
    check(!found.isEmpty(), "there is no lease " + id);
    return found.getFirst();
  }

  @Override
  public List<LedgerRow> ledger(LedgerQuery wanted) {
    return sql.whole(
        () ->
            SqliteRows.found(
                sql.ask(
                    "SELECT * FROM ledger WHERE ended > ? AND number > ? AND (? = '' OR tenant = ?)"
                        + " ORDER BY number LIMIT ?",
                    row -> SqliteRows.readable(row, SqliteRows::ledgerRow),
                    wanted.since().toEpochMilli(),
                    wanted.after(),
                    wanted.tenant(),
                    wanted.tenant(),
                    wanted.most())));
  }

  private static void check(boolean right, String what) {
    if (!right) {
      throw new StoreException(what);
    }
  }

  @Override
  public void settle() {
    long changes = sql.changes();
    if (settled.get() < changes) {
      ahead.force();
      settled.accumulateAndGet(changes, Math::max);
    }
  }

  @Override
  public AccountStore accounts() {
    return new SqliteAccounts(sql);
  }

  @Override
  public void close() {
    settle();
    ahead.close();
    sql.close();
  }
}
