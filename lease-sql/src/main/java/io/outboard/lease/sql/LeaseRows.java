// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sql;

import io.outboard.lease.Architecture;
import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.GpuUse;
import io.outboard.lease.Identity;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.IdleStep;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseMode;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.Parameter;
import io.outboard.lease.Placement;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.account.MissedTarget;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the rows of the tables within a caller's transaction. */
final class LeaseRows {
  private static final System.Logger LOG = System.getLogger(LeaseRows.class.getName());

  private final Sql sql;

  LeaseRows(Sql sql) {
    this.sql = sql;
  }

  /** The leases of a condition; a row that cannot be read is as if it were not there. */
  List<Lease> leases(String which, Object... values) throws SQLException {
    return found(
        sql.ask("SELECT * FROM lease " + which, row -> readable(row, this::lease), values));
  }

  /** Why the row of a lease cannot be read, if that is so. */
  Optional<String> damage(String id) throws SQLException {
    return sql.ask("SELECT * FROM lease WHERE id = ?", this::damage, id).getFirst();
  }

  private Optional<String> damage(ResultSet row) throws SQLException {
    try {
      Lease lease = lease(row);
      return lease.state().holds() && lease.gpus().isEmpty()
          ? Optional.of("it has no devices")
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }

  /** The rows that can be read. */
  static <T> List<T> found(List<Optional<T>> rows) {
    return rows.stream().flatMap(Optional::stream).toList();
  }

  /** A row, none where a value of it is not permitted. */
  static <T> Optional<T> readable(ResultSet row, Sql.Row<T> as) throws SQLException {
    try {
      return Optional.of(as.of(row));
    } catch (IllegalArgumentException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "row {0} of the store of leases cannot be read: {1}",
          row.getString(1),
          e.getMessage());
      return Optional.empty();
    }
  }

  private Lease lease(ResultSet row) throws SQLException {
    String id = row.getString("id");
    LeaseRequest request =
        LeaseRequest.builder()
            .tenant(row.getString("tenant"))
            .consumer(row.getString("consumer"))
            .gpus(row.getInt("gpus"))
            .model(row.getString("model"))
            .architecture(architecture(row))
            .memory(row.getLong("memory"))
            .share(row.getInt("share"))
            .priority(row.getInt("priority"))
            .duration(Duration.ofSeconds(row.getLong("seconds")))
            .placement(Placement.of(row.getString("placement")))
            .mostNodes(row.getInt("most_nodes"))
            .within(Duration.ofSeconds(row.getLong("within")))
            .idle(idle(row))
            .identity(identity(row))
            .mode(mode(row))
            .profile(row.getString("profile"))
            .grace(grace(row))
            .keep(Duration.ofSeconds(row.getLong("keep")))
            .service(ServiceClass.of(row.getString("class")))
            .begin(moment(row, "starts"))
            .build();
    return new Lease(
        id,
        request,
        LeaseState.of(row.getString("state")),
        row.getLong("epoch"),
        gpus(id),
        moment(row, "requested"),
        moment(row, "granted"),
        moment(row, "expires"),
        moment(row, "ended"),
        row.getString("reason"));
  }

  private static Optional<Duration> grace(ResultSet row) throws SQLException {
    long seconds = row.getLong("grace");
    return row.wasNull() ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
  }

  private static IdleLimits idle(ResultSet row) throws SQLException {
    return IdleLimits.NONE
        .with(IdleStep.SUSPEND, limit(row.getLong("idle_suspend")))
        .with(IdleStep.REVOKE, limit(row.getLong("idle_revoke")));
  }

  private static Duration limit(long seconds) {
    return seconds == 0 ? null : Duration.ofSeconds(seconds);
  }

  private List<Gpu> gpus(String lease) throws SQLException {
    return sql.ask(
        "SELECT * FROM hold WHERE lease = ? ORDER BY place", row -> gpu(row, "number"), lease);
  }

  /** A device; {@code number} is the name of that column. */
  static Gpu gpu(ResultSet row, String number) throws SQLException {
    return new Gpu(
        row.getString("node"),
        row.getInt(number),
        row.getString("uuid"),
        row.getString("model"),
        row.getLong("size"),
        architecture(row),
        Optional.empty());
  }

  private static Optional<Architecture> architecture(ResultSet row) throws SQLException {
    return Architecture.labelled(row.getString("arch"));
  }

  /** A row of the ledger. */
  static LedgerRow ledgerRow(ResultSet row) throws SQLException {
    return new LedgerRow(
        row.getLong("number"),
        row.getString("lease"),
        row.getString("tenant"),
        row.getString("consumer"),
        row.getLong("epoch"),
        gpu(row, "gpu"),
        row.getInt("share"),
        moment(row, "begun"),
        moment(row, "ended"),
        row.getLong("bytes_in"),
        row.getLong("bytes_out"),
        busy(row),
        energy(row),
        row.getInt("last") != 0,
        identity(row),
        mode(row));
  }

  /** A row about a lease that was not granted in time. */
  static MissedTarget missed(ResultSet row) throws SQLException {
    return new MissedTarget(
        row.getLong("number"),
        row.getString("lease"),
        row.getString("tenant"),
        row.getString("consumer"),
        moment(row, "due"),
        row.getString("cause"));
  }

  private static LeaseMode mode(ResultSet row) throws SQLException {
    return LeaseMode.of(row.getString("mode"));
  }

  private static Identity identity(ResultSet row) throws SQLException {
    return new Identity(
        row.getString("consumer_type"),
        row.getString("consumer_id"),
        row.getString("user"),
        row.getString("fqan"),
        row.getString("site"));
  }

  /** Several programs of a lease are each as busy as they are; the device is so once. */
  private static Optional<Duration> busy(ResultSet row) throws SQLException {
    long busy = row.getLong("busy");
    if (row.wasNull()) {
      return Optional.empty();
    }
    Duration whole = Duration.between(moment(row, "begun"), moment(row, "ended"));
    return Optional.of(Duration.ofNanos(Math.min(busy, whole.toNanos())));
  }

  private static OptionalLong energy(ResultSet row) throws SQLException {
    return perhaps(row, row.findColumn("energy"));
  }

  /** Sums: the device's node and UUID, bytes in and out, busy time, energy. */
  static GpuUse use(ResultSet row) throws SQLException {
    return new GpuUse(
        new GpuId(row.getString(1), row.getString(2)),
        row.getLong(3),
        row.getLong(4),
        perhaps(row, 5),
        perhaps(row, 6));
  }

  private static OptionalLong perhaps(ResultSet row, int column) throws SQLException {
    long number = row.getLong(column);
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(number);
  }

  private static Instant moment(ResultSet row, String column) throws SQLException {
    long milliseconds = row.getLong(column);
    Parameter.SINCE.check(milliseconds);
    return Instant.ofEpochMilli(milliseconds);
  }
}
