// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.backend.system.Log;
import io.outboard.communicator.posix.Processes;
import io.outboard.wire.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder in which a host keeps images: at most so many bytes of them, those that were used
 * last.
 *
 * <p>Where all workers are one user only that user can enter it. Where each is a user of its own it
 * is the daemon's: workers can make files there, and open one whose name they know, but neither
 * list it nor remove what is another one's (mode 1733), so that the daemon removes.
 *
 * @param path an absolute path
 * @param mostBytes the most that the files may hold together; several writers at a time may exceed
 *     it for a moment
 * @param isOfSeveralUsers whether workers are users of their own
 */
public record ImageFolder(Path path, long mostBytes, boolean isOfSeveralUsers) {
  private static final String PROPERTY = "outboard.images";
  private static final String MOST = "outboard.images.most";
  private static final String SEVERAL = "outboard.images.several";

  private static final Pattern IMAGE = Pattern.compile("[0-9a-f]{64}");
  private static final String FRESH = "new-";
  private static final Duration ABANDONED = Duration.ofMinutes(10);

  private static final int MODE_BITS = 07777;
  private static final int OTHERS = 077;
  private static final int OWN = 0700;
  private static final int SEVERAL_USERS = 01733;

  /** The one that this worker was told. */
  static Optional<ImageFolder> ofThisProcess() {
    return Optional.ofNullable(System.getProperty(PROPERTY))
        .map(
            path ->
                new ImageFolder(Path.of(path), Long.getLong(MOST), Boolean.getBoolean(SEVERAL)));
  }

  /** Tells it to a worker. */
  public List<String> workerOptions() {
    return List.of(
        "-D" + PROPERTY + "=" + path,
        "-D" + MOST + "=" + mostBytes,
        "-D" + SEVERAL + "=" + isOfSeveralUsers);
  }

  /**
   * Makes the folder where it is missing.
   *
   * @throws IOException if it cannot be used; the message says why
   */
  public void prepare() throws IOException {
    if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(path.getParent());
      Files.createDirectory(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Files.setAttribute(path, "unix:mode", isOfSeveralUsers ? SEVERAL_USERS : OWN);
    }
    int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & MODE_BITS;
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
        || (int) Files.getAttribute(path, "unix:uid") != Processes.getuid()) {
      throw new IOException(path + " is no folder of this user");
    }
    if (isOfSeveralUsers ? mode != SEVERAL_USERS : (mode & OTHERS) != 0) {
      throw new IOException(
          "%s has the mode %o; 'chmod %o %1$s' mends that"
              .formatted(path, mode, isOfSeveralUsers ? SEVERAL_USERS : OWN));
    }
  }

  /** Where the image of a digest is kept. */
  Path file(Bytes digest) {
    return path.resolve(digest.hex());
  }

  /** Where an image is written before it has its name. */
  Path fresh(Bytes nonce) {
    return path.resolve(FRESH + nonce.hex());
  }

  /** By a worker that wants to keep so many bytes. */
  void makeRoom(long bytes) throws IOException {
    if (!isOfSeveralUsers) {
      trim(mostBytes - bytes);
    }
  }

  /** By the daemon: removes what is too much, where workers cannot. */
  public void trim() {
    try {
      if (isOfSeveralUsers) {
        trim(mostBytes);
      }
    } catch (IOException e) {
      Log.warn("the images of modules cannot be counted", e);
    }
  }

  private record Kept(Path file, long bytes, Instant used) {}

  private void trim(long most) throws IOException {
    List<Kept> kept = kept();
    long bytes = kept.stream().mapToLong(Kept::bytes).sum();
    for (Kept one : kept) {
      if (bytes > most) {
        bytes -= remove(one);
      }
    }
  }

  /** Another process may be quicker. */
  private static long remove(Kept one) {
    try {
      Files.deleteIfExists(one.file);
      return one.bytes;
    } catch (IOException e) {
      Log.debug("a kept image cannot be removed: " + e);
      return 0;
    }
  }

  /** The images, those that have not been used for longest first. */
  private List<Kept> kept() throws IOException {
    List<Kept> kept = new ArrayList<>();
    try (Stream<Path> files = Files.list(path)) {
      files.forEach(file -> look(file).ifPresent(kept::add));
    }
    kept.sort(Comparator.comparing(Kept::used).thenComparing(Kept::file));
    return kept;
  }

  /** A file that is an image; one that whoever wrote it did not finish is removed. */
  private static Optional<Kept> look(Path file) {
    String name = file.getFileName().toString();
    boolean image = IMAGE.matcher(name).matches();
    if (!image && !name.startsWith(FRESH)) {
      return Optional.empty();
    }
    try {
      BasicFileAttributes found =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      Kept kept = new Kept(file, found.size(), found.lastModifiedTime().toInstant());
      if (!image && kept.used.isBefore(Instant.now().minus(ABANDONED))) {
        remove(kept);
      }
      return image ? Optional.of(kept) : Optional.empty();
    } catch (IOException gone) {
      return Optional.empty();
    }
  }
}
