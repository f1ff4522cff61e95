// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.posix.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The folders in which NVIDIA's driver keeps the machine code that it makes of PTX in workers. The
 * files there are code, so no tenant can write a file that another one's worker reads.
 *
 * <p>Where all workers are one user that user's folder serves all. Where each is a user of its own,
 * each user has a folder that it alone enters, in a folder that the daemon alone writes. A worker's
 * user serves one tenant after the other: before it serves, {@link #lend} puts aside what it kept
 * for another tenant.
 *
 * @param path an absolute path
 * @param isOfSeveralUsers whether workers are users of their own
 */
public record ComputeCaches(Path path, boolean isOfSeveralUsers) {
  /** CUDA C++ Programming Guide, "CUDA Environment Variables". */
  public static final String VARIABLE = "CUDA_CACHE_PATH";

  private static final int WRITTEN_BY_OTHERS = 022;
  private static final int OWN = 0700;
  private static final int SEVERAL_USERS = 0711;
  private static final String OWNER = ".owner";
  private static final String OLD = "old-";
  private static final String FRESH = "new-";

  /**
   * Makes the folder where it is missing, and removes what was put aside before.
   *
   * @throws IOException if it cannot be trusted; the message says why
   */
  public void prepare() throws IOException {
    if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(path.getParent());
      create(path);
      Files.setAttribute(path, "unix:mode", isOfSeveralUsers ? SEVERAL_USERS : OWN);
    }
    int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
        || (int) Files.getAttribute(path, "unix:uid") != Processes.getuid()
        || (mode & WRITTEN_BY_OTHERS) != 0) {
      throw new IOException(path + " is no folder that this user alone writes");
    }
    Folders.removeAll(path, FRESH);
    Folders.removeAll(path, OLD);
  }

  /** The variables of a worker, which is perhaps a user of its own. */
  public Map<String, String> variables(OptionalInt user) {
    return Map.of(VARIABLE, (user.isPresent() ? folder(user.getAsInt()) : path).toString());
  }

  private Path folder(int user) {
    return path.resolve(Integer.toString(user));
  }

  /**
   * Has the folder of a worker's user be a client's: it keeps what it has if its last client was of
   * the same tenant, else it is made anew. Before the worker gets the client. Without a folder the
   * driver compiles each time.
   *
   * @throws IOException if what is another tenant's cannot be put aside
   */
  public void lend(int user, Peer.Principal who) throws IOException {
    if (Files.exists(folder(user)) && owner(user).equals(Optional.of(tenant(who)))) {
      return;
    }
    putAside(user);
    try {
      record(user, tenant(who));
      make(user);
    } catch (IOException e) {
      Log.warn("NVIDIA's driver keeps nothing for user %d of workers: %s".formatted(user, e));
    }
  }

  /** The operator's are one tenant, and no other tenant's text is empty. */
  private static String tenant(Peer.Principal who) {
    return switch (who) {
      case Peer.Holder holder -> "tenant " + holder.tenant();
      case Peer.Member member -> "tenant " + member.name();
      case Peer.Operator _, Peer.Itself _ -> "";
    };
  }

  private Path ownerFile(int user) {
    return path.resolve(user + OWNER);
  }

  private Optional<String> owner(int user) throws IOException {
    return Files.exists(ownerFile(user))
        ? Optional.of(Files.readString(ownerFile(user)))
        : Optional.empty();
  }

  private Path fresh(int user) {
    return path.resolve(FRESH + user + "-" + System.nanoTime());
  }

  private void record(int user, String owner) throws IOException {
    Path fresh = fresh(user);
    Files.writeString(fresh, owner);
    Files.move(fresh, ownerFile(user), StandardCopyOption.ATOMIC_MOVE);
  }

  /** It is there once it is the user's. */
  private void make(int user) throws IOException {
    Path fresh = fresh(user);
    create(fresh);
    Files.setAttribute(fresh, "unix:gid", user);
    Files.setAttribute(fresh, "unix:uid", user);
    Files.move(fresh, folder(user), StandardCopyOption.ATOMIC_MOVE);
  }

  private static void create(Path folder) throws IOException {
    Files.createDirectory(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** From now on the user cannot enter it. */
  private void putAside(int user) throws IOException {
    Path folder = folder(user);
    if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.setAttribute(folder, "unix:uid", Processes.getuid());
      Files.setAttribute(folder, "unix:mode", OWN);
      Path old = path.resolve(OLD + user + "-" + System.nanoTime());
      Files.move(folder, old, StandardCopyOption.ATOMIC_MOVE);
      Thread.ofVirtual().start(() -> Folders.removeAll(path, OLD));
    }
  }
}
