// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.locks.LockSupport;

/** Temporary folders that are wanted before JUnit makes its own: each has an owner. */
final class Folders {
  /** A process that ends may still write. */
  private static final int ATTEMPTS = 2_400;

  private static final long PAUSE_NS = 50_000_000;

  private Folders() {}

  /** Makes one while a class is initialised. */
  static Path make(String prefix) {
    try {
      return Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Deletes one with all that lies in it, but not what its links name; files may come and go. */
  static void remove(Path folder) throws IOException {
    for (int attempt = 1; !removed(folder, attempt == ATTEMPTS); attempt++) {
      LockSupport.parkNanos(PAUSE_NS);
    }
  }

  /** Whether it is gone; an error where this was the last attempt. */
  private static boolean removed(Path folder, boolean last) throws IOException {
    try {
      Files.walkFileTree(folder, new Removal());
      return true;
    } catch (DirectoryNotEmptyException e) {
      if (last) {
        throw e;
      }
      return false;
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
