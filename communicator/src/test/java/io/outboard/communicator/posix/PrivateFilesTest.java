// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders and files that are to be this user's own. */
final class PrivateFilesTest {
  private static final int WIDE = 0;

  @TempDir private Path folder;

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void whatIsMadeIsItsUsersOwnWhateverTheMask() throws IOException {
    int before = Processes.umask(WIDE);
    try {
      Path deep = folder.resolve("a/b");
      PrivateFiles.own(deep);
      assertEquals("rwx------", mode(deep));
      assertEquals("rwx------", mode(deep.getParent()));
    } finally {
      int unused = Processes.umask(before);
    }
  }

  @Test
  void othersWriteInNoFolderThatIsOwn() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    PrivateFiles.own(folder);
    assertEquals("rwxr-xr-x", mode(folder));
  }

  @Test
  void aFolderForAllIsNobodysOwn() throws IOException {
    Files.setAttribute(folder, "unix:mode", 01777);
    assertThrows(IOException.class, () -> PrivateFiles.own(folder));
    Files.setAttribute(folder, "unix:mode", 0700);
  }

  @Test
  void aLinkIsNoFileOfOnesOwn() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertThrows(IOException.class, () -> PrivateFiles.ownFile(link));
    PrivateFiles.ownFile(file);
    assertEquals("rw-------", mode(file));
  }

  @Test
  void aReplacedFileIsItsUsersAndNothingIsBesideIt() throws IOException {
    Path file = folder.resolve("file");
    PrivateFiles.replace(file, "one");
    PrivateFiles.replace(file, "another");
    assertEquals("another", PrivateFiles.read(file));
    assertEquals(List.of(file), files());
  }

  /** A process that is killed meanwhile leaves a name by which the next one finds the file. */
  @Test
  void nothingUnfinishedStays() throws IOException {
    Path taken = Files.createDirectories(folder.resolve("taken/full")).getParent();
    assertThrows(IOException.class, () -> PrivateFiles.replace(taken, "text"));
    assertEquals(List.of(taken), files());
    Files.createFile(folder.resolve("new4711"));
    PrivateFiles.removeUnfinished(folder);
    assertEquals(List.of(taken), files());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.toList();
    }
  }
}
