// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Files that only their user can read. */
public final class PrivateFiles {
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private PrivateFiles() {}

  /** Makes a folder and those above it where they are missing. */
  public static void createFolders(Path folder) throws IOException {
    Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(FOLDER));
  }

  /** Makes a file that has its text from the first moment that it has its name. */
  public static void create(Path file, String text) throws IOException {
    createFolders(file.getParent());
    Path fresh =
        Files.createTempFile(
            file.getParent(), "new", "", PosixFilePermissions.asFileAttribute(FILE));
    try {
      Files.writeString(fresh, text);
      Files.createLink(file, fresh);
    } finally {
      Files.delete(fresh);
    }
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it is another user's, or others may read or change it
   */
  public static String read(Path file) throws IOException {
    Set<PosixFilePermission> others = EnumSet.copyOf(Files.getPosixFilePermissions(file));
    others.removeAll(FOLDER);
    if (!others.isEmpty()) {
      throw new IOException(file + " may be used by others; 'chmod 600 " + file + "' mends that");
    }
    if ((int) Files.getAttribute(file, "unix:uid") != Processes.getuid()) {
      throw new IOException(file + " is another user's");
    }
    return Files.readString(file);
  }
}
