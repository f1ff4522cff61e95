// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a power cut would leave of a store in a file. */
public final class PowerCut {
  private PowerCut() {}

  /** Copies the disk's present state: the file, and the changes written ahead. */
  public static Path copy(Path file, Path to) {
    try {
      Files.createDirectories(to);
      for (String part : List.of("", "-wal")) {
        Path from = file.resolveSibling(file.getFileName() + part);
        if (Files.exists(from)) {
          Files.copy(from, to.resolve(from.getFileName()));
        }
      }
      return to.resolve(file.getFileName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
