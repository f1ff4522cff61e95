// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sql;

import io.outboard.lease.LeaseRequest;
import io.outboard.lease.account.AccessToken;
import io.outboard.lease.account.AccountStore;
import io.outboard.lease.account.Fqan;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.lease.account.Tenant;
import io.outboard.lease.store.StoreException;
import io.outboard.wire.Bytes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tenants and tokens beside the leases of a {@link SqlLeaseStore}. */
final class SqlAccounts implements AccountStore {
  private static final long DAY = 86_400_000;

  private final Sql sql;

  SqlAccounts(Sql sql) {
    this.sql = sql;
  }

  @Override
  public void add(AccessToken token, Bytes hash) {
    int unused =
        sql.whole(
            () ->
                sql.run(
                    "INSERT INTO token (id, hash, role, tenant, \"user\", fqan, note, created,"
                        + " expires, revoked) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    token.id(),
                    hash.hex(),
                    token.standing().role().label(),
                    token.standing().tenant(),
                    token.standing().user(),
                    token.standing().fqanText(),
                    token.note(),
                    token.created().toEpochMilli(),
                    token.expires().toEpochMilli(),
                    token.revoked() ? 1 : 0));
  }

  @Override
  public void forget(Instant before) {
    int unused =
        sql.whole(() -> sql.run("DELETE FROM token WHERE expires < ?", before.toEpochMilli()));
  }

  @Override
  public AccessToken revoke(String id) {
    return sql.whole(
        () -> {
          if (sql.run("UPDATE token SET revoked = 1 WHERE id = ?", id) == 0) {
            throw new StoreException("there is no token " + id);
          }
          return sql.ask("SELECT * FROM token WHERE id = ?", SqlAccounts::token, id).getFirst();
        });
  }

  @Override
  public Map<Bytes, AccessToken> tokens() {
    return sql.whole(
        () -> {
          Map<Bytes, AccessToken> tokens = new HashMap<>();
          List<Optional<Map.Entry<Bytes, AccessToken>>> rows =
              sql.ask(
                  "SELECT * FROM token", row -> LeaseRows.readable(row, SqlAccounts::hashedToken));
          LeaseRows.found(rows).forEach(row -> tokens.put(row.getKey(), row.getValue()));
          return tokens;
        });
  }

  private static Map.Entry<Bytes, AccessToken> hashedToken(ResultSet row) throws SQLException {
    return Map.entry(Bytes.of(HexFormat.of().parseHex(row.getString("hash"))), token(row));
  }

  private static AccessToken token(ResultSet row) throws SQLException {
    return new AccessToken(
        row.getString("id"),
        standing(row),
        row.getString("note"),
        Instant.ofEpochMilli(row.getLong("created")),
        Instant.ofEpochMilli(row.getLong("expires")),
        row.getInt("revoked") != 0);
  }

  private static Standing standing(ResultSet row) throws SQLException {
    return new Standing(
        Role.of(row.getString("role")),
        row.getString("tenant"),
        row.getString("user"),
        Optional.of(row.getString("fqan")).filter(text -> !text.isEmpty()).map(Fqan::new));
  }

  @Override
  public void set(Tenant tenant) {
    int unused =
        sql.whole(
            () ->
                sql.run(
                    "INSERT INTO tenant (name, budget) VALUES (?, ?)"
                        + " ON CONFLICT (name) DO UPDATE SET budget = excluded.budget",
                    tenant.name(),
                    tenant.budget().map(Duration::toSeconds).orElse(null)));
  }

  @Override
  public Optional<Tenant> tenant(String name) {
    return select("WHERE name = ?", name).stream().findFirst();
  }

  @Override
  public List<Tenant> tenants() {
    return select("ORDER BY name");
  }

  private List<Tenant> select(String which, Object... values) {
    return sql.whole(
        () ->
            LeaseRows.found(
                sql.ask(
                    "SELECT * FROM tenant " + which,
                    row -> LeaseRows.readable(row, SqlAccounts::tenant),
                    values)));
  }

  /** One whose budget cannot be read has nothing to spend. */
  private static Tenant tenant(ResultSet row) throws SQLException {
    String name = row.getString("name");
    long seconds = row.getLong("budget");
    if (row.wasNull()) {
      return new Tenant(name, Optional.empty());
    }
    Optional<Tenant> tenant =
        LeaseRows.readable(row, _ -> new Tenant(name, Optional.of(Duration.ofSeconds(seconds))));
    return tenant.orElseGet(() -> new Tenant(name, Optional.of(Duration.ZERO)));
  }

  @Override
  public List<Used> used(Instant since) {
    return sql.whole(
        () ->
            sql.ask(
                "SELECT tenant, ended / ? AS day, sum(share * (ended - begun)) FROM ledger"
                    + " WHERE ended > ? GROUP BY tenant, day",
                row ->
                    new Used(
                        row.getString(1),
                        Instant.ofEpochMilli((row.getLong(2) + 1) * DAY),
                        row.getDouble(3) / LeaseRequest.WHOLE / 1_000),
                DAY,
                since.toEpochMilli()));
  }

  @Override
  public long spent(String tenant, Instant now) {
    return sql.whole(
        () ->
            sql.ask(
                    "SELECT (SELECT coalesce(sum(share * (ended - begun)), 0) FROM ledger"
                        + " WHERE tenant = ?)"
                        + " + (SELECT coalesce(sum(h.share * (? - h.since)), 0) FROM hold h"
                        + " JOIN lease l ON l.id = h.lease WHERE l.tenant = ? AND h.since < ?)",
                    row -> row.getLong(1) / LeaseRequest.WHOLE,
                    tenant,
                    now.toEpochMilli(),
                    tenant,
                    now.toEpochMilli())
                .getFirst());
  }
}
