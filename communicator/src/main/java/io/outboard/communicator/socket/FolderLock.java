// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * The sockets of a folder, for one process at a time: from its bind to its listen a socket looks as
 * if its listener was gone. Where the folder cannot be locked, or a stranger keeps it locked,
 * nothing is.
 */
final class FolderLock implements AutoCloseable {
  private static final int TRIES = 200;
  private static final long PAUSE_NS = 10_000_000;
  private static final int READ_ONLY_CLOEXEC = 0x80000;

  private final int folder;

  private FolderLock(int folder) {
    this.folder = folder;
  }

  /** That of a folder; nobody waits yet. */
  static FolderLock of(Path folder) {
    return new FolderLock(Posix.open(folder.toString(), READ_ONLY_CLOEXEC, 0));
  }

  /** Waits for whoever has it, for some seconds. */
  void await() {
    for (int i = 0; i < TRIES && folder >= 0 && Posix.tryLock(folder) == -Errno.EAGAIN; i++) {
      LockSupport.parkNanos(PAUSE_NS);
    }
  }

  @Override
  public void close() {
    if (folder >= 0) {
      Posix.close(folder);
    }
  }
}
