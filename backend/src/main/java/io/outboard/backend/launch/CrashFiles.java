// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import io.outboard.backend.system.Log;
import io.outboard.communicator.posix.PrivateFiles;
import io.outboard.communicator.posix.Processes;
import io.outboard.wire.Bytes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * What the virtual machines of workers write when they crash: a file each, made before the worker
 * starts and given to its user, in a folder that nobody else enters or lists. A few of the last
 * ones stay, none larger than a bound; one that is empty goes with its worker.
 */
public final class CrashFiles {
  /** Where nothing is kept. */
  static final Path NOWHERE = Path.of("/dev/null");

  private static final String SUFFIX = ".crash";
  private static final int NAME_BYTES = 8;

  private static final String MODE = "unix:mode";
  private static final int PERMISSIONS = 0777;
  private static final int PASS = 011;
  private static final String FILE = "rw-------";
  private static final int MOST_FILES = 16;
  private static final long MOST_BYTES = 1 << 20;

  private final Optional<Path> folder;

  private CrashFiles(Optional<Path> folder) {
    this.folder = folder;
  }

  /** None are kept. */
  public static CrashFiles none() {
    return new CrashFiles(Optional.empty());
  }

  /**
   * Keeps them in a folder, which is made as the one above it is; none where these cannot be this
   * user's own.
   *
   * @param ofSeveralUsers whether workers have users of their own
   */
  public static CrashFiles in(Path folder, boolean ofSeveralUsers) {
    try {
      PrivateFiles.own(folder.getParent());
      PrivateFiles.own(folder);
      if (ofSeveralUsers) {
        letPass(folder.getParent());
        letPass(folder);
      }
      CrashFiles made = new CrashFiles(Optional.of(folder));
      made.removeEmpty();
      return made;
    } catch (IOException e) {
      Log.warn("what workers say when they crash is not kept: " + e.getMessage());
      return none();
    }
  }

  /**
   * Of workers whose daemon was killed, and so could not remove them. One of those that go on makes
   * its own anew, or has none.
   */
  private void removeEmpty() throws IOException {
    for (Path file : files()) {
      if (Files.size(file) == 0) {
        Files.delete(file);
      }
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder.orElseThrow())) {
      return files.filter(file -> file.toString().endsWith(SUFFIX)).toList();
    }
  }

  /** Others may pass where they know a name, as workers with users of their own have to. */
  private static void letPass(Path folder) throws IOException {
    int mode = (int) Files.getAttribute(folder, MODE);
    Files.setAttribute(folder, MODE, (mode & PERMISSIONS) | PASS);
  }

  /** Makes the one of a worker that is about to start, and to be a user, if not the daemon's. */
  Path create(OptionalInt user) {
    if (folder.isEmpty()) {
      return NOWHERE;
    }
    try {
      Path file = folder.get().resolve(Bytes.random(NAME_BYTES).hex() + SUFFIX);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(FILE)));
      if (user.isPresent()) {
        Files.setAttribute(file, "unix:uid", user.getAsInt());
      }
      return file;
    } catch (IOException e) {
      Log.debug("there is no place for a worker's crash: " + e.getMessage());
      return NOWHERE;
    }
  }

  /** A Java virtual machine's option for it. */
  static String option(Path file) {
    return "-XX:ErrorFile=" + file;
  }

  /** The worker of a file has ended. */
  void ended(Path file) {
    if (file.equals(NOWHERE)) {
      return;
    }
    try {
      if (Files.size(file) == 0) {
        Files.delete(file);
        return;
      }
      Files.setAttribute(file, "unix:uid", Processes.getuid());
      try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
        FileChannel unused = open.truncate(MOST_BYTES);
      }
      Log.warn("a worker has crashed; " + file + " says where");
      trim();
    } catch (IOException e) {
      Log.debug("a worker's crash is not known: " + e.getMessage());
    }
  }

  /** Those of workers that live are empty. */
  private void trim() throws IOException {
    List<Path> crashes =
        files().stream()
            .filter(file -> file.toFile().length() > 0)
            .sorted(Comparator.comparing((Path file) -> file.toFile().lastModified()).reversed())
            .toList();
    for (Path old : crashes.subList(Math.min(MOST_FILES, crashes.size()), crashes.size())) {
      Files.delete(old);
    }
  }
}
