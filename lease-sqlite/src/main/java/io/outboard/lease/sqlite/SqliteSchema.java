// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sqlite;

import io.outboard.lease.sql.Schema;
import io.outboard.lease.sql.Sql;
import java.sql.SQLException;
import java.util.List;

/** The tables in a file of SQLite. */
final class SqliteSchema extends Schema {
  private static final String FIRST =
      """
      CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE lease (
        id TEXT PRIMARY KEY, tenant TEXT NOT NULL, consumer TEXT NOT NULL, gpus INTEGER NOT NULL,
        model TEXT NOT NULL, memory INTEGER NOT NULL, share INTEGER NOT NULL,
        priority INTEGER NOT NULL, seconds INTEGER NOT NULL, placement TEXT NOT NULL,
        state TEXT NOT NULL, epoch INTEGER NOT NULL, requested INTEGER NOT NULL,
        granted INTEGER NOT NULL, expires INTEGER NOT NULL, reason TEXT NOT NULL,
        ended INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
      CREATE INDEX lease_ended ON lease (ended);
      CREATE TABLE hold (
        lease TEXT NOT NULL REFERENCES lease (id), place INTEGER NOT NULL, uuid TEXT NOT NULL,
        number INTEGER NOT NULL, model TEXT NOT NULL, size INTEGER NOT NULL,
        share INTEGER NOT NULL, memory INTEGER NOT NULL, since INTEGER NOT NULL,
        bytes_in INTEGER NOT NULL DEFAULT 0, bytes_out INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (lease, place)) WITHOUT ROWID;
      CREATE INDEX hold_uuid ON hold (uuid);
      CREATE TABLE ledger (
        number INTEGER PRIMARY KEY AUTOINCREMENT, lease TEXT NOT NULL, tenant TEXT NOT NULL,
        consumer TEXT NOT NULL, epoch INTEGER NOT NULL, gpu INTEGER NOT NULL, uuid TEXT NOT NULL,
        model TEXT NOT NULL, size INTEGER NOT NULL, share INTEGER NOT NULL,
        begun INTEGER NOT NULL, ended INTEGER NOT NULL, bytes_in INTEGER NOT NULL,
        bytes_out INTEGER NOT NULL, last INTEGER NOT NULL);
      CREATE INDEX ledger_ended ON ledger (ended);
      CREATE TRIGGER ledger_stays BEFORE UPDATE ON ledger
        BEGIN SELECT RAISE(ABORT, 'the ledger is only added to');
        END;
      CREATE TRIGGER ledger_is_kept BEFORE DELETE ON ledger
        BEGIN SELECT RAISE(ABORT, 'the ledger is only added to');
        END;
      """;

  /** The users of leases, as accounting elsewhere names them; tenants; tokens of the interface. */
  private static final String ACCOUNTS =
      """
      ALTER TABLE lease ADD COLUMN consumer_type TEXT NOT NULL DEFAULT '';
      ALTER TABLE lease ADD COLUMN consumer_id TEXT NOT NULL DEFAULT '';
      ALTER TABLE lease ADD COLUMN user TEXT NOT NULL DEFAULT '';
      ALTER TABLE lease ADD COLUMN fqan TEXT NOT NULL DEFAULT '';
      ALTER TABLE lease ADD COLUMN site TEXT NOT NULL DEFAULT '';
      ALTER TABLE ledger ADD COLUMN consumer_type TEXT NOT NULL DEFAULT '';
      ALTER TABLE ledger ADD COLUMN consumer_id TEXT NOT NULL DEFAULT '';
      ALTER TABLE ledger ADD COLUMN user TEXT NOT NULL DEFAULT '';
      ALTER TABLE ledger ADD COLUMN fqan TEXT NOT NULL DEFAULT '';
      ALTER TABLE ledger ADD COLUMN site TEXT NOT NULL DEFAULT '';
      CREATE INDEX ledger_tenant ON ledger (tenant);
      CREATE TABLE tenant (name TEXT PRIMARY KEY, budget INTEGER) WITHOUT ROWID;
      CREATE TABLE token (
        id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, role TEXT NOT NULL, tenant TEXT NOT NULL,
        note TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER NOT NULL,
        revoked INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
      """;

  /** Nanoseconds in which a device was busy; null where that was not measured. */
  private static final String BUSY =
      """
      ALTER TABLE hold ADD COLUMN busy INTEGER;
      ALTER TABLE ledger ADD COLUMN busy INTEGER;
      """;

  /** Which generation of GPUs is wanted, and which those are that are held; empty for any. */
  private static final String ARCHITECTURES =
      """
      ALTER TABLE lease ADD COLUMN arch TEXT NOT NULL DEFAULT '';
      ALTER TABLE hold ADD COLUMN arch TEXT NOT NULL DEFAULT '';
      """;

  /** Limits of a lease's own on its idleness, in seconds; 0 for none. */
  private static final String IDLENESS =
      """
      ALTER TABLE lease ADD COLUMN idle_suspend INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE lease ADD COLUMN idle_revoke INTEGER NOT NULL DEFAULT 0;
      """;

  /** Whether devices are for programs or handed over. */
  private static final String MODES =
      """
      ALTER TABLE lease ADD COLUMN mode TEXT NOT NULL DEFAULT 'remote';
      ALTER TABLE ledger ADD COLUMN mode TEXT NOT NULL DEFAULT 'remote';
      """;

  /** Millijoules of a device on a lease's account; null where that was not measured. */
  private static final String ENERGY =
      """
      ALTER TABLE hold ADD COLUMN energy INTEGER;
      ALTER TABLE ledger ADD COLUMN energy INTEGER;
      """;

  /** Of which generation the GPU of a row is; empty where that is not known. */
  private static final String GENERATIONS =
      """
      ALTER TABLE ledger ADD COLUMN arch TEXT NOT NULL DEFAULT '';
      """;

  /** Which slices of GPUs are wanted; empty for any device. */
  private static final String PROFILES =
      """
      ALTER TABLE lease ADD COLUMN profile TEXT NOT NULL DEFAULT '';
      """;

  /** Seconds that a lease's programs may be away; null for the backend's time. */
  private static final String GRACES =
      """
      ALTER TABLE lease ADD COLUMN grace INTEGER;
      """;

  /** Seconds for which a request stays that nobody asks about; 0 for always. */
  private static final String KEPT =
      """
      ALTER TABLE lease ADD COLUMN keep INTEGER NOT NULL DEFAULT 0;
      """;

  /** The node of a device; empty for the one that has this file. */
  private static final String NODES =
      """
      ALTER TABLE hold ADD COLUMN node TEXT NOT NULL DEFAULT '';
      ALTER TABLE ledger ADD COLUMN node TEXT NOT NULL DEFAULT '';
      DROP INDEX hold_uuid;
      CREATE INDEX hold_gpu ON hold (uuid, node);
      """;

  /** The past of one tenant, without that of the others. */
  private static final String PASTS =
      """
      CREATE INDEX lease_tenant ON lease (tenant, ended);
      """;

  /**
   * The nodes of a pool: of a broker's, those that may join it; their devices as they last said.
   */
  private static final String POOL =
      """
      CREATE TABLE node (
        name TEXT PRIMARY KEY, hash TEXT NOT NULL, joined INTEGER NOT NULL,
        until INTEGER NOT NULL, endpoints TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
      CREATE TABLE node_gpu (
        node TEXT NOT NULL REFERENCES node (name), number INTEGER NOT NULL, uuid TEXT NOT NULL,
        model TEXT NOT NULL, size INTEGER NOT NULL, arch TEXT NOT NULL,
        PRIMARY KEY (node, uuid)) WITHOUT ROWID;
      CREATE INDEX ledger_lease ON ledger (lease);
      CREATE INDEX lease_epoch ON lease (epoch);
      """;

  /** How firmly a lease has its devices, and from when on it wants them; 0 for now. */
  private static final String CLASSES =
      """
      ALTER TABLE lease ADD COLUMN class TEXT NOT NULL DEFAULT 'shared';
      ALTER TABLE lease ADD COLUMN starts INTEGER NOT NULL DEFAULT 0;
      """;

  /** On how many nodes the devices of a lease may be. */
  private static final String SEVERAL_NODES =
      """
      ALTER TABLE lease ADD COLUMN most_nodes INTEGER NOT NULL DEFAULT 1;
      """;

  /** In how many seconds a lease is to be granted, 0 for no target; and those that were not. */
  private static final String TARGETS =
      """
      ALTER TABLE lease ADD COLUMN within INTEGER NOT NULL DEFAULT 0;
      CREATE TABLE missed (
        number INTEGER PRIMARY KEY AUTOINCREMENT, lease TEXT NOT NULL UNIQUE,
        tenant TEXT NOT NULL, consumer TEXT NOT NULL, due INTEGER NOT NULL, cause TEXT NOT NULL);
      CREATE TRIGGER missed_stays BEFORE UPDATE ON missed
        BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
      CREATE TRIGGER missed_remains BEFORE DELETE ON missed
        BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
      """;

  /** For whom somebody vouches who has made a token. */
  private static final String PEOPLE =
      """
      ALTER TABLE token ADD COLUMN user TEXT NOT NULL DEFAULT '';
      ALTER TABLE token ADD COLUMN fqan TEXT NOT NULL DEFAULT '';
      """;

  /** The step to version 1 comes first. */
  private static final List<String> STEPS =
      List.of(
          FIRST,
          ACCOUNTS,
          BUSY,
          ARCHITECTURES,
          IDLENESS,
          MODES,
          ENERGY,
          GENERATIONS,
          PROFILES,
          GRACES,
          KEPT,
          NODES,
          PASTS,
          POOL,
          CLASSES,
          SEVERAL_NODES,
          TARGETS,
          PEOPLE);

  private final Sql sql;

  SqliteSchema(Sql sql) {
    super(sql, STEPS);
    this.sql = sql;
  }

  @Override
  protected int found() throws SQLException {
    return sql.ask("PRAGMA user_version", row -> row.getInt(1)).getFirst();
  }

  @Override
  protected void is(int version) throws SQLException {
    int unused = sql.run("PRAGMA user_version = " + version);
  }
}
