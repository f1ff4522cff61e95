// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The namespaces of processes and of users in which the peer of a Unix socket lives. A container
 * has its own: its root is not this machine's, whatever number the kernel gives it here.
 */
final class PeerNamespaces {
  private static final List<String> KINDS = List.of("pid", "user");

  private PeerNamespaces() {}

  /** Whether they are this process's; where that cannot be known, they are not. */
  static boolean areOurs(int descriptor) {
    int process = Sockets.peerProcess(descriptor);
    int handle = Sockets.peerHandle(descriptor);
    try {
      return process > 0 && KINDS.stream().allMatch(kind -> isOurs(process, kind)) && lives(handle);
    } finally {
      if (handle >= 0) {
        Posix.close(handle);
      }
    }
  }

  private static boolean isOurs(int process, String kind) {
    try {
      Path ours = Files.readSymbolicLink(Path.of("/proc/self/ns", kind));
      return ours.equals(Files.readSymbolicLink(Path.of("/proc/" + process + "/ns", kind)));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Whether it was the peer's that was read: the number of a process that has ended can be
   * another's. A kernel before 6.5 has no handle, and its number is believed.
   */
  private static boolean lives(int handle) {
    return handle < 0 || Posix.poll(handle, Posix.POLLIN, 0) == 0;
  }
}
