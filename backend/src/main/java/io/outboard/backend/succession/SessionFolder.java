// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.succession;

import io.outboard.backend.worker.Succession;
import io.outboard.communicator.posix.PrivateFiles;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.posix.SocketAddress;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the sessions of a daemon are found by the next one: a folder beside its Unix socket, which
 * only one daemon at a time can have.
 */
public final class SessionFolder {
  private static final int OTHERS = 077;
  private static final int NAME = 16;

  private final Path path;

  private SessionFolder(Path path) {
    this.path = path;
  }

  /**
   * The one beside a socket. It may be missing, as the folder of the socket may, which is the
   * listener's to make.
   *
   * @throws IOException if it cannot be trusted, or its sockets' paths would be too long
   */
  public static SessionFolder beside(String socket) throws IOException {
    SessionFolder folder = new SessionFolder(Path.of(socket + ".sessions").toAbsolutePath());
    if (folder.path.toString().length() + 1 + NAME > SocketAddress.PATH) {
      throw new IOException(folder.path + " is too long a path for sockets in it");
    }
    if (folder.exists()) {
      folder.requireOwn();
    }
    return folder;
  }

  private boolean exists() {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  private void requireOwn() throws IOException {
    int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
        || (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS)
            != Processes.getuid()
        || (mode & OTHERS) != 0) {
      throw new IOException(path + " is no folder that this user alone enters");
    }
  }

  /** Makes it where it is missing, once there is a socket. */
  public void make() throws IOException {
    PrivateFiles.createFolders(path);
    requireOwn();
  }

  /** A place for a session that begins. */
  public SessionFile create() {
    return SessionFile.create(path);
  }

  /**
   * Returns the sessions that another daemon has left here, which has ended; where it was killed,
   * removes what it was about to write.
   */
  public List<SessionFile> left() throws IOException {
    if (!exists()) {
      return List.of();
    }
    PrivateFiles.removeUnfinished(path);
    List<SessionFile> all = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path, "*" + Succession.FACTS)) {
      for (Path file : files) {
        String name = file.toString();
        all.add(new SessionFile(name.substring(0, name.length() - Succession.FACTS.length())));
      }
    }
    return all;
  }
}
