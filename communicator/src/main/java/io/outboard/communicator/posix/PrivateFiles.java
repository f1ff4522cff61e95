// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Files that only their user can read. */
public final class PrivateFiles {
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private static final String MODE = "unix:mode";
  private static final String FRESH = "new";
  private static final int PERMISSIONS = 07777;
  private static final int STICKY = 01000;
  private static final int OTHERS_WRITE = 022;

  private PrivateFiles() {}

  /** Makes a folder and those above it where they are missing. */
  public static void createFolders(Path folder) throws IOException {
    Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(FOLDER));
  }

  /**
   * Makes a folder where it is missing, for this user alone; of one that is there takes from others
   * the right to change what is in it.
   *
   * @throws IOException if it is another user's, or one for all, as {@code /tmp}
   */
  public static void own(Path folder) throws IOException {
    createFolders(folder);
    requireOwn(folder);
    int mode = (int) Files.getAttribute(folder, MODE);
    if ((mode & STICKY) != 0) {
      throw new IOException(folder + " is a folder for all users: name one within it");
    }
    if ((mode & OTHERS_WRITE) != 0) {
      Files.setAttribute(folder, MODE, mode & PERMISSIONS & ~OTHERS_WRITE);
    }
  }

  /**
   * Lets nobody else read or change a file.
   *
   * @throws IOException if it is another user's, or none
   */
  public static void ownFile(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(file + " is no plain file");
    }
    requireOwn(file);
    Files.setPosixFilePermissions(file, FILE);
  }

  private static void requireOwn(Path file) throws IOException {
    if ((int) Files.getAttribute(file, "unix:uid") != Processes.getuid()) {
      throw new IOException(file + " is another user's");
    }
  }

  /** Makes a file that has its text from the first moment that it has its name. */
  public static void create(Path file, String text) throws IOException {
    Path fresh = unfinished(file);
    try {
      Files.writeString(fresh, text);
      Files.createLink(file, fresh);
    } finally {
      Files.delete(fresh);
    }
  }

  /** Makes a file, or its text another: whoever reads it sees the one or the other, whole. */
  public static void replace(Path file, String text) throws IOException {
    Path fresh = unfinished(file);
    try {
      Files.writeString(fresh, text);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private static Path unfinished(Path file) throws IOException {
    createFolders(file.getParent());
    return Files.createTempFile(
        file.getParent(), FRESH, "", PosixFilePermissions.asFileAttribute(FILE));
  }

  /** Removes what a process has left in a folder that was killed while it made files there. */
  public static void removeUnfinished(Path folder) throws IOException {
    try (DirectoryStream<Path> unfinished = Files.newDirectoryStream(folder, FRESH + "*")) {
      for (Path file : unfinished) {
        Files.deleteIfExists(file);
      }
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
    requireOwn(file);
    return Files.readString(file);
  }
}
