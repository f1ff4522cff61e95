// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sqlite;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Memory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * The native part of SQLite's driver. It is loaded from memory that has no name in any folder, so
 * that nobody can exchange it, a process that is killed leaves nothing, and a full disk is none of
 * its concern.
 */
final class NativeDriver {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  // Guarded by this class's monitor.
  private static boolean prepared;

  private NativeDriver() {}

  /**
   * Has the driver find its native part once it is used first.
   *
   * @param folder where the driver unpacks it itself where the kernel runs no code from such memory
   *     (vm.memfd_noexec); nobody else may write there
   */
  static synchronized void prepare(Path folder) throws IOException {
    System.setProperty("org.sqlite.tmpdir", folder.toString());
    if (prepared) {
      return;
    }
    String resource =
        LibraryLoaderUtil.getNativeLibResourcePath() + "/" + LibraryLoaderUtil.getNativeLibName();
    try (InputStream library = NativeDriver.class.getResourceAsStream(resource)) {
      if (library != null) {
        System.setProperty("org.sqlite.lib.path", DESCRIPTORS.toString());
        System.setProperty("org.sqlite.lib.name", Integer.toString(inMemory(library)));
      }
    }
    prepared = true;
  }

  /** The descriptor stays open: the driver loads what it is of by that name. */
  private static int inMemory(InputStream library) throws IOException {
    int descriptor = Errno.check(Memory.memfdCreate("sqlite", Memory.MFD_CLOEXEC), "memfd_create");
    Files.write(DESCRIPTORS.resolve(Integer.toString(descriptor)), library.readAllBytes());
    return descriptor;
  }
}
