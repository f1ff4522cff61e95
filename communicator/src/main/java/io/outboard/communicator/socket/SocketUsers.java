// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import io.outboard.communicator.Origin;
import io.outboard.communicator.posix.PrivateFiles;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.posix.Sockets;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * The users that may connect to a Unix socket: its own and root, and the members of a group where
 * it has one. The kernel keeps others from connecting; the number of the user tells those apart
 * that have connected.
 */
record SocketUsers(Optional<GroupPrincipal> group) {
  private static final int ROOT = 0;
  private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> SHARED =
      PosixFilePermissions.fromString("rw-rw----");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwxr-x---");

  /**
   * The user at the other end of a connection, and whether it is there as a member only: so is who
   * lives in other namespaces, as a container's root does.
   */
  Origin origin(int descriptor) {
    int user = Sockets.peerUser(descriptor);
    if (user < 0) {
      return new Origin.Remote("nobody");
    }
    if (isOwn(user)) {
      return PeerNamespaces.areOurs(descriptor) ? new Origin.Owner(user) : new Origin.Member(user);
    }
    return group.isPresent() ? new Origin.Member(user) : new Origin.Remote("user " + user);
  }

  private static boolean isOwn(int user) {
    return user == Processes.getuid() || user == ROOT;
  }

  /** Makes a socket's folder where it is missing, for its users only. */
  void makeFolder(Path folder) throws IOException {
    if (group.isEmpty()) {
      PrivateFiles.createFolders(folder);
      return;
    }
    makeShared(folder);
    PosixFileAttributes made = Files.readAttributes(folder, PosixFileAttributes.class);
    if (!passes(made)) {
      throw new IOException(
          "members of the group %1$s cannot pass %2$s: 'chgrp %1$s %2$s && chmod g+x %2$s' lets them"
              .formatted(group.get().getName(), folder));
    }
  }

  /** One that was there is somebody's choice. */
  private void makeShared(Path folder) throws IOException {
    if (Files.exists(folder)) {
      return;
    }
    makeShared(folder.getParent());
    PrivateFiles.createFolders(folder);
    give(folder, FOLDER);
  }

  private boolean passes(PosixFileAttributes folder) {
    Set<PosixFilePermission> permissions = folder.permissions();
    return permissions.contains(PosixFilePermission.OTHERS_EXECUTE)
        || (permissions.contains(PosixFilePermission.GROUP_EXECUTE)
            && folder.group().equals(group.get()));
  }

  /** Lets its users connect, and nobody else at any moment. */
  void open(Path socket) throws IOException {
    Files.setPosixFilePermissions(socket, OWN);
    if (group.isPresent()) {
      give(socket, SHARED);
    }
  }

  private void give(Path file, Set<PosixFilePermission> permissions) throws IOException {
    try {
      Files.getFileAttributeView(file, PosixFileAttributeView.class).setGroup(group.get());
    } catch (FileSystemException e) {
      throw new IOException(
          "%s cannot be given to the group %s, of which this user is no member: %s"
              .formatted(file, group.get().getName(), e.getReason()),
          e);
    }
    Files.setPosixFilePermissions(file, permissions);
  }
}
