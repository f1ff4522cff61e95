// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.offer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packages of a folder, and nothing else that is there or elsewhere. */
final class ClientPackagesTest {
  private static final String NAME = "outboard-client_1.0~rc1+b2_amd64.deb";

  @TempDir private Path home;

  private ClientPackages packages(byte[] content) throws IOException {
    Path folder = Files.createDirectory(home.resolve("packages"));
    Files.write(folder.resolve(NAME), content);
    return new ClientPackages(Optional.of(folder));
  }

  @Test
  void aPackageIsReadAsItIsNow() throws IOException {
    ClientPackages packages = packages(new byte[] {1, 2});
    byte[] first = packages.read(NAME).orElseThrow();
    assertArrayEquals(new byte[] {1, 2}, first);
    assertSame(first, packages.read(NAME).orElseThrow(), "many share it");
    Path file = home.resolve("packages").resolve(NAME);
    Files.write(file, new byte[] {3});
    Files.setLastModifiedTime(file, FileTime.fromMillis(1));
    assertArrayEquals(new byte[] {3}, packages.read(NAME).orElseThrow());
    Files.delete(file);
    assertEquals(Optional.empty(), packages.read(NAME));
  }

  @Test
  void nothingElseIsRead() throws IOException {
    ClientPackages packages = packages(new byte[0]);
    Files.writeString(home.resolve("packages/key"), "secret");
    Files.writeString(home.resolve("other.deb"), "secret");
    Files.createDirectory(home.resolve("packages/folder.deb"));
    for (String name :
        List.of("key", "../other.deb", "..%2fother.deb", "folder.deb", "", ".deb", "a\0.deb")) {
      assertEquals(Optional.empty(), packages.read(name), name);
    }
    assertEquals(Optional.empty(), new ClientPackages(Optional.empty()).read(NAME));
  }

  @Test
  void oneThatIsTooLongIsNot() throws IOException {
    ClientPackages packages = packages(new byte[0]);
    try (RandomAccessFile file =
        new RandomAccessFile(home.resolve("packages").resolve(NAME).toFile(), "rw")) {
      file.setLength((64 << 20) + 1);
    }
    assertThrows(IOException.class, () -> packages.read(NAME));
  }
}
