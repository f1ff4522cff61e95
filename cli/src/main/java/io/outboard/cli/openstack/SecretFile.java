// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.openstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** A secret in a file, which its owner alone may read. */
final class SecretFile {
  private static final Set<PosixFilePermission> OWN =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private SecretFile() {}

  /**
   * Its text, without blanks around it.
   *
   * @throws IOException if it cannot be read, or others may read it
   */
  static String read(Path file) throws IOException {
    if (!OWN.containsAll(Files.getPosixFilePermissions(file))) {
      throw new IOException(
          "%s can be read by others than its owner: chmod 600 %s".formatted(file, file));
    }
    return Files.readString(file).strip();
  }
}
