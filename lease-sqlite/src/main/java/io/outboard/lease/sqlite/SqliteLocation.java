// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sqlite;

import io.outboard.lease.store.LeaseStore;
import io.outboard.lease.store.StoreLocation;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file of SQLite.
 *
 * @param file where it is, or will be
 */
public record SqliteLocation(Path file) implements StoreLocation {
  /** The name of the file in its folder. */
  public static final String FILE = "leases.db";

  /** The one in a folder, which is made too where it is missing. */
  public static SqliteLocation in(Path folder) {
    return new SqliteLocation(folder.resolve(FILE));
  }

  /** A store that could not be made has left its file empty at most. */
  @Override
  public boolean isUsed() {
    return file.toFile().length() > 0;
  }

  @Override
  public Optional<String> obstacle() {
    return SqliteLeaseStore.obstacle(file);
  }

  @Override
  public LeaseStore open() {
    return SqliteLeaseStore.open(file);
  }
}
