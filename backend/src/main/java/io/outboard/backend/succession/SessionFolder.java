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
   * The one beside a socket; made where it is missing.
   *
   * @throws IOException if it cannot be trusted, or its sockets' paths would be too long
   */
  public static SessionFolder beside(String socket) throws IOException {
    Path path = Path.of(socket + ".sessions").toAbsolutePath();
    if (path.toString().length() + 1 + NAME > SocketAddress.PATH) {
      throw new IOException(path + " is too long a path for sockets in it");
    }
    PrivateFiles.createFolders(path);
    int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
        || (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS)
            != Processes.getuid()
        || (mode & OTHERS) != 0) {
      throw new IOException(path + " is no folder that this user alone enters");
    }
    return new SessionFolder(path);
  }

  /** A place for a session that begins. */
  public SessionFile create() {
    return SessionFile.create(path);
  }

  /** Returns the sessions that another daemon has left here. */
  public List<SessionFile> left() throws IOException {
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
