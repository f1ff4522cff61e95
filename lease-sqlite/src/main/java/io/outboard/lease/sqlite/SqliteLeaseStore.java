// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sqlite;

import io.outboard.communicator.posix.PrivateFiles;
import io.outboard.lease.sql.Sql;
import io.outboard.lease.sql.SqlLeaseStore;
import io.outboard.lease.store.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Leases in a file of SQLite, written ahead (WAL). SQLite itself forces to the disk what it needs
 * for the file to be whole; {@link #settle} forces what was written ahead, for all who wait. As it
 * is written in the order of the changes, a power cut before that loses only the last ones, of
 * which nobody has heard. One process has it at a time.
 */
public final class SqliteLeaseStore extends SqlLeaseStore {
  /** SQLITE_BUSY. */
  private static final int BUSY = 5;

  /** Of the disk, for the first leases, and the driver's native part where it is unpacked. */
  private static final long LEAST_ROOM = 4 << 20;

  /** The file that the driver unpacks, and a file beside it that says that it is in use. */
  private static final String UNPACKED = "sqlite-*-libsqlitejdbc.so{,.lck}";

  private final Sql sql;
  private final DiskWriter ahead;
  // How many changes are on the disk.
  private final AtomicLong settled = new AtomicLong();

  private SqliteLeaseStore(Sql sql, Path file) throws IOException {
    super(sql);
    this.sql = sql;
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
      Sql sql = new Sql(DriverManager.getConnection("jdbc:sqlite:" + file), "BEGIN IMMEDIATE");
      try {
        configure(sql);
        new SqliteSchema(sql).upgrade();
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
    sql.tell("PRAGMA locking_mode = EXCLUSIVE");
    sql.tell("PRAGMA journal_mode = WAL");
    sql.tell("PRAGMA synchronous = NORMAL");
    sql.tell("PRAGMA foreign_keys = ON");
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
  public void close() {
    settle();
    ahead.close();
    super.close();
  }
}
