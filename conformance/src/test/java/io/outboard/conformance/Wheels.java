// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Python wheels, as an archive that the JDK reads. */
final class Wheels {
  private Wheels() {}

  /** Unpacks one into a folder that is made, with the modes of its files; returns the folder. */
  static Path unpack(Path wheel, Path folder) throws IOException {
    try (FileSystem files =
            FileSystems.newFileSystem(wheel, Map.of("enablePosixFileAttributes", true));
        Stream<Path> all = Files.walk(files.getPath("/"))) {
      List<Path> members = all.filter(Files::isRegularFile).toList();
      for (Path member : members) {
        Path to = folder.resolve(member.toString().substring(1));
        Files.createDirectories(to.getParent());
        Files.copy(member, to);
        Files.setPosixFilePermissions(to, Files.getPosixFilePermissions(member));
      }
    }
    return folder;
  }
}
