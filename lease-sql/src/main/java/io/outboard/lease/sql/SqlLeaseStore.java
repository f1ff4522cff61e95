// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sql;

import io.outboard.lease.Architecture;
import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.GpuUse;
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
import io.outboard.lease.account.MissedTarget;
import io.outboard.lease.node.Closing;
import io.outboard.lease.node.NodeStore;
import io.outboard.lease.store.LeaseStore;
import io.outboard.lease.store.StoreException;
import io.outboard.wire.Token;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Leases in the tables of a database that speaks SQL. All changes go over one connection, one after
 * the other; each is a transaction. What differs between databases is in the classes that extend
 * this: how it is opened, its schema, and when a change is on the disk.
 */
public abstract class SqlLeaseStore implements LeaseStore {
  private static final System.Logger LOG = System.getLogger(SqlLeaseStore.class.getName());
  private static final String SECRET = "secret";

  /** The beginning of a fact's name, before a device's UUID. */
  private static final String CORDON = "cordon ";

  /** The same of one that is to be out: the moment in milliseconds, and why. */
  private static final String CLOSING = "closing ";

  private static final String EPOCH = "epoch";

  /** The highest epoch of a grant that another store has made. */
  private static final String TAKEN = "taken";

  private static final String SEEN = "seen";

  /** The user of a lease, and the way of use. */
  private static final String USE = "consumer_type, consumer_id, \"user\", fqan, site, mode";

  /** A suspended lease has no time to write down, but perhaps bytes of a call that waits. */
  private static final String CARRIES = " AND (h.bytes_in > 0 OR h.bytes_out > 0)";

  private static final String SUSPENDED =
      "(SELECT id FROM lease WHERE state IN ('suspended', 'held'))";

  private final Sql sql;
  private final Facts facts;
  private final LeaseRows rows;
  private final Token secret;

  /**
   * Reads what is there; the tables are up to date.
   *
   * @param sql is closed with this
   */
  protected SqlLeaseStore(Sql sql) {
    this.sql = sql;
    this.facts = new Facts(sql);
    this.rows = new LeaseRows(sql);
    sql.whole(this::setDamagedAside);
    this.secret = sql.whole(this::loadSecret);
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
    Optional<String> known = facts.get(SECRET);
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
    facts.put(SECRET, fresh.digits());
    return fresh;
  }

  /** A whole number, 0 where it is missing or none. */
  private long numericFact(String name) throws SQLException {
    String text = facts.get(name).orElse("0");
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      LOG.log(System.Logger.Level.ERROR, "''{0}'' of the store is no number: {1}", name, text);
      return 0;
    }
  }

  @Override
  public final Token secret() {
    return secret;
  }

  @Override
  public final void request(Lease lease) {
    int unused = sql.whole(() -> add(lease));
  }

  private int add(Lease lease) throws SQLException {
    LeaseRequest request = lease.request();
    return sql.run(
        "INSERT INTO lease (id, tenant, consumer, gpus, model, memory, share, priority,"
            + " seconds, placement, most_nodes, within, arch, profile, grace, keep, idle_suspend,"
            + " idle_revoke, class, starts, state, epoch, requested, granted, expires, reason,"
            + USE
            + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, 0, 0,"
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
        request.mostNodes(),
        request.within().toSeconds(),
        Architecture.label(request.architecture()),
        request.profile(),
        request.grace().map(Duration::toSeconds).orElse(null),
        request.keep().toSeconds(),
        request.idle().seconds(IdleStep.SUSPEND),
        request.idle().seconds(IdleStep.REVOKE),
        request.service().label(),
        request.begin().toEpochMilli(),
        LeaseState.REQUESTED.label(),
        lease.requested().toEpochMilli(),
        request.identity().type(),
        request.identity().id(),
        request.identity().user(),
        request.identity().fqan(),
        request.identity().site(),
        request.mode().label());
  }

  @Override
  public final long taken() {
    return sql.whole(() -> numericFact(TAKEN));
  }

  @Override
  public final void grantsAbove(long epoch) {
    int unused =
        sql.whole(
            () -> {
              if (epoch > numericFact(EPOCH)) {
                facts.put(EPOCH, Long.toString(epoch));
              }
              return 0;
            });
  }

  @Override
  public final Lease take(Lease grant) {
    return sql.whole(
        () -> {
          long taken = numericFact(TAKEN);
          check(
              grant.epoch() > taken,
              "lease %s has epoch %d, and one of epoch %d was taken before"
                  .formatted(grant.id(), grant.epoch(), taken));
          int unused = add(grant);
          place(grant, grant.gpus(), grant.granted());
          facts.put(TAKEN, Long.toString(grant.epoch()));
          return granted(grant.id(), grant.epoch(), grant.granted(), grant.expires());
        });
  }

  @Override
  public final Lease grant(String id, List<Gpu> gpus, Instant now, Instant expires) {
    return sql.whole(
        () -> {
          Lease lease = alive(id);
          check(lease.state() == LeaseState.REQUESTED, "lease " + id + " does not wait");
          place(lease, gpus, now);
          long epoch = Math.max(numericFact(EPOCH), highestEpoch()) + 1;
          facts.put(EPOCH, Long.toString(epoch));
          return granted(id, epoch, now, expires);
        });
  }

  private void place(Lease lease, List<Gpu> gpus, Instant now) throws SQLException {
    for (int place = 0; place < gpus.size(); place++) {
      hold(lease, gpus.get(place), place, now);
    }
  }

  private Lease granted(String id, long epoch, Instant now, Instant expires) throws SQLException {
    sql.run(
        "UPDATE lease SET state = ?, epoch = ?, granted = ?, expires = ? WHERE id = ?",
        LeaseState.GRANTED.label(),
        epoch,
        now.toEpochMilli(),
        expires.toEpochMilli(),
        id);
    return alive(id);
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
            "SELECT coalesce(sum(share), 0), coalesce(sum(memory), 0),"
                + " count(CASE WHEN share = 0 THEN 1 END) FROM hold"
                + " WHERE uuid = ? AND node = ? AND NOT EXISTS (SELECT 1 FROM lease"
                + " WHERE lease.id = hold.lease AND lease.state IN ('suspended', 'held'))",
            row -> new Load(row.getInt(1), row.getLong(2), row.getInt(3)),
            gpu.uuid(),
            gpu.node())
        .getFirst();
  }

  @Override
  public final Lease move(String id, LeaseState to, Instant now, String reason) {
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
  public final Lease replace(String id, List<Gpu> gpus) {
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
  public final Lease leave(String id, String node, Instant now) {
    return sql.whole(
        () -> {
          Lease lease = alive(id);
          List<Gpu> rest = lease.gpus().stream().filter(gpu -> !gpu.node().equals(node)).toList();
          check(!rest.isEmpty(), "lease %s has no devices but those".formatted(id));
          check(lease.state().occupies(), "lease %s is %s".formatted(id, lease.state().label()));
          write("h.lease = ? AND h.node = ?", 1, now, id, node);
          sql.run("DELETE FROM hold WHERE lease = ? AND node = ?", id, node);
          return alive(id);
        });
  }

  @Override
  public final Lease renew(String id, Instant expires) {
    return sql.whole(
        () -> {
          LeaseState state = alive(id).state();
          check(state.holds(), "lease %s is %s".formatted(id, state.label()));
          sql.run("UPDATE lease SET expires = ? WHERE id = ?", expires.toEpochMilli(), id);
          return alive(id);
        });
  }

  @Override
  public final Lease fetched(String id) {
    return sql.whole(
        () -> {
          sql.run("UPDATE lease SET keep = 0 WHERE id = ?", id);
          return alive(id);
        });
  }

  @Override
  public final Lease share(String id, int share, long memory, Instant now) {
    return sql.whole(
        () -> {
          Lease lease = alive(id);
          check(lease.state().occupies(), "lease %s is %s".formatted(id, lease.state().label()));
          write("h.lease = ?", 0, now, id);
          sql.run("DELETE FROM hold WHERE lease = ?", id);
          sql.run("UPDATE lease SET share = ?, memory = ? WHERE id = ?", share, memory, id);
          Lease changed = alive(id);
          place(changed, lease.gpus(), now);
          return alive(id);
        });
  }

  @Override
  public final void countBusy(String id, List<Long> nanoseconds) {
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
  public final void countBusy(String id, int place, long nanoseconds) {
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
  public final void countEnergy(String id, int place, long millijoules) {
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
  public final void count(String id, long bytesIn, long bytesOut) {
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
  public final List<GpuUse> used(String id) {
    return sql.whole(() -> use(id));
  }

  private List<GpuUse> use(String id) throws SQLException {
    String columns = "node, uuid, bytes_in, bytes_out, busy, energy";
    return sql.ask(
        "SELECT node, uuid, sum(bytes_in), sum(bytes_out), sum(busy), sum(energy) FROM (SELECT "
            + columns
            + " FROM ledger WHERE lease = ? UNION ALL SELECT "
            + columns
            + " FROM hold WHERE lease = ?) AS had GROUP BY node, uuid ORDER BY node, uuid",
        LeaseRows::use,
        id,
        id);
  }

  @Override
  public final void countUpTo(String id, List<GpuUse> use) {
    int unused =
        sql.whole(
            () -> {
              Map<GpuId, GpuUse> known =
                  use(id).stream().collect(Collectors.toMap(GpuUse::gpu, one -> one));
              for (GpuUse one : use) {
                if (known.containsKey(one.gpu())) {
                  count(id, known.get(one.gpu()), one);
                }
              }
              return 0;
            });
  }

  private void count(String id, GpuUse known, GpuUse now) throws SQLException {
    sql.run(
        "UPDATE hold SET bytes_in = bytes_in + ?, bytes_out = bytes_out + ?"
            + " WHERE lease = ? AND node = ? AND uuid = ?",
        Math.max(0, now.bytesIn() - known.bytesIn()),
        Math.max(0, now.bytesOut() - known.bytesOut()),
        id,
        now.gpu().node(),
        now.gpu().uuid());
    count("busy", id, now.gpu(), now.busy(), known.busy());
    count("energy", id, now.gpu(), now.energy(), known.energy());
  }

  private void count(String column, String id, GpuId gpu, OptionalLong now, OptionalLong known)
      throws SQLException {
    if (now.isPresent()) {
      sql.run(
          "UPDATE hold SET %1$s = coalesce(%1$s, 0) + ? WHERE lease = ? AND node = ? AND uuid = ?"
              .formatted(column),
          Math.max(0, now.getAsLong() - known.orElse(0)),
          id,
          gpu.node(),
          gpu.uuid());
    }
  }

  @Override
  public final void roll(Instant now) {
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
  private void write(String which, int last, Instant now, Object... values) throws SQLException {
    sql.run(
        "INSERT INTO ledger (lease, tenant, consumer, epoch, node, gpu, uuid, model, size, arch, share,"
            + " begun, ended, bytes_in, bytes_out, busy, energy, last, "
            + USE
            + ") SELECT h.lease, l.tenant, l.consumer, l.epoch, h.node, h.number, h.uuid, h.model, h.size,"
            + " h.arch, h.share, h.since, CASE WHEN h.since > ? THEN h.since ELSE ? END,"
            + " h.bytes_in, h.bytes_out, h.busy,"
            + " h.energy, ?, "
            + USE
            + " FROM hold h JOIN lease l ON l.id = h.lease WHERE "
            + which
            + " ORDER BY h.lease, h.place",
        Stream.concat(Stream.of(now.toEpochMilli(), now.toEpochMilli(), last), Stream.of(values))
            .toArray());
  }

  @Override
  public final void shift(Duration by) {
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
              facts.put(SEEN, Long.toString(numericFact(SEEN) + milliseconds));
              return 0;
            });
  }

  @Override
  public final Map<GpuId, String> cordons() {
    return sql.whole(
        () ->
            facts.beginning(CORDON).entrySet().stream()
                .collect(Collectors.toMap(fact -> cordoned(fact.getKey()), Map.Entry::getValue)));
  }

  @Override
  public final Map<GpuId, Closing> closings() {
    return sql.whole(
        () ->
            facts.beginning(CLOSING).entrySet().stream()
                .collect(
                    Collectors.toMap(
                        fact -> cordoned(fact.getKey()), fact -> closing(fact.getValue()))));
  }

  private static Closing closing(String text) {
    String[] words = text.split(" ", 2);
    return new Closing(Instant.ofEpochMilli(Long.parseLong(words[0])), words[1]);
  }

  @Override
  public final void closes(GpuId device, Closing when) {
    int unused =
        sql.whole(
            () -> {
              facts.put(named(CLOSING, device), when.from().toEpochMilli() + " " + when.why());
              return 0;
            });
  }

  /**
   * The name of the fact that a device is out: its UUID, and its node where that is another one.
   */
  private static String named(String prefix, GpuId device) {
    return prefix + device.uuid() + (device.node().isEmpty() ? "" : " " + device.node());
  }

  private static GpuId cordoned(String fact) {
    String[] parts = fact.split(" ", 2);
    return new GpuId(parts.length > 1 ? parts[1] : Gpu.HERE, parts[0]);
  }

  @Override
  public final void cordon(GpuId device, String why) {
    int unused =
        sql.whole(
            () -> {
              facts.remove(named(CLOSING, device));
              facts.put(named(CORDON, device), why);
              return 0;
            });
  }

  @Override
  public final void uncordon(GpuId device) {
    int unused =
        sql.whole(
            () -> {
              facts.remove(named(CLOSING, device));
              facts.remove(named(CORDON, device));
              return 0;
            });
  }

  @Override
  public final void seen(Instant now) {
    int unused =
        sql.whole(
            () -> {
              facts.put(SEEN, Long.toString(now.toEpochMilli()));
              return 0;
            });
  }

  @Override
  public final Instant seen() {
    return sql.whole(() -> Instant.ofEpochMilli(numericFact(SEEN)));
  }

  @Override
  public final Optional<Lease> find(String id) {
    return sql.whole(() -> rows.leases("WHERE id = ?", id).stream().findFirst());
  }

  @Override
  public final List<Lease> alive() {
    return sql.whole(() -> rows.leases("WHERE ended = 0 ORDER BY requested, id"));
  }

  @Override
  public final List<Lease> over(LeaseQuery wanted, int most) {
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
  public final List<LedgerRow> ledger(LedgerQuery wanted) {
    return sql.whole(
        () ->
            LeaseRows.found(
                sql.ask(
                    "SELECT * FROM ledger WHERE ended > ? AND number > ? AND (? = '' OR tenant = ?)"
                        + " ORDER BY number LIMIT ?",
                    row -> LeaseRows.readable(row, LeaseRows::ledgerRow),
                    wanted.since().toEpochMilli(),
                    wanted.after(),
                    wanted.tenant(),
                    wanted.tenant(),
                    wanted.most())));
  }

  @Override
  public final void missed(Lease lease, Instant due, String cause) {
    int unused =
        sql.whole(
            () ->
                sql.run(
                    "INSERT INTO missed (lease, tenant, consumer, due, cause)"
                        + " VALUES (?, ?, ?, ?, ?) ON CONFLICT (lease) DO NOTHING",
                    lease.id(),
                    lease.tenant(),
                    lease.request().consumer(),
                    due.toEpochMilli(),
                    cause));
  }

  @Override
  public final List<MissedTarget> missed(LedgerQuery wanted) {
    return sql.whole(
        () ->
            sql.ask(
                "SELECT * FROM missed WHERE due > ? AND number > ? AND (? = '' OR tenant = ?)"
                    + " ORDER BY number LIMIT ?",
                LeaseRows::missed,
                wanted.since().toEpochMilli(),
                wanted.after(),
                wanted.tenant(),
                wanted.tenant(),
                wanted.most()));
  }

  private static void check(boolean right, String what) {
    if (!right) {
      throw new StoreException(what);
    }
  }

  @Override
  public final AccountStore accounts() {
    return new SqlAccounts(sql);
  }

  @Override
  public final NodeStore nodes() {
    return new SqlNodes(sql, facts);
  }

  @Override
  public void close() {
    sql.close();
  }
}
