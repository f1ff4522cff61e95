// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client's tarball is small and needs nothing but a C library of 2012. */
final class ClientTarballTest {
  private static final long MOST_BYTES = 5_000_000;
  private static final int NEWEST_GLIBC = 17;
  private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
  private static final Pattern GLIBC = Pattern.compile("\\bGLIBC_2\\.(\\d+)");
  private static final Pattern OTHER_GLIBC = Pattern.compile("\\bGLIBC_(?!2\\.\\d)\\S*");
  private static final Pattern NEEDED = Pattern.compile("\\(NEEDED\\).*\\[(.*)\\]");

  // The C library's own, beside what the tarball brings.
  private static final Set<String> MAY_BE_NEEDED =
      Set.of("libc.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2", "liboutboard.so");

  @TempDir private static Path temporary;
  private static Path tarball;
  private static Path client;

  @BeforeAll
  static void make() throws IOException, InterruptedException {
    tarball = Tarballs.client();
    client = Tarballs.unpack(tarball, temporary);
  }

  @Test
  void isSmall() throws IOException {
    assertTrue(Files.size(tarball) < MOST_BYTES, () -> tarball.toFile().length() + " bytes");
  }

  @Test
  void hasWhatAUserNeeds() throws IOException, InterruptedException {
    for (String file :
        List.of(
            "README",
            "bin/outboard-run",
            "bin/outboard-where",
            "lib/libcuda.so.1",
            "lib/libnvidia-ml.so.1")) {
      assertTrue(Files.exists(client.resolve(file)), file);
    }
    Program.Ended help = run(client.resolve("bin/outboard-run").toString(), "--help");
    assertTrue(help.output().startsWith("usage: outboard-run"), help::toString);
  }

  @Test
  void needsNothingNewerThanGlibc217() throws IOException, InterruptedException {
    for (Path binary : binaries()) {
      String versions = run("readelf", "--wide", "--version-info", binary.toString()).output();
      Matcher glibc = GLIBC.matcher(versions);
      int found = 0;
      while (glibc.find()) {
        found++;
        int minor = Integer.parseInt(glibc.group(1));
        assertTrue(minor <= NEWEST_GLIBC, () -> binary + " needs glibc 2." + minor);
      }
      assertTrue(found > 0, () -> "no versions read of " + binary);
      assertFalse(OTHER_GLIBC.matcher(versions).find(), versions);
    }
  }

  @Test
  void needsNoOtherLibrary() throws IOException, InterruptedException {
    for (Path binary : binaries()) {
      Matcher needed = NEEDED.matcher(run("readelf", "--dynamic", binary.toString()).output());
      Set<String> libraries = new TreeSet<>();
      while (needed.find()) {
        libraries.add(needed.group(1));
      }
      assertTrue(libraries.contains("libc.so.6"), () -> binary + " needs " + libraries);
      libraries.removeAll(MAY_BE_NEEDED);
      assertEquals(Set.of(), libraries, binary::toString);
    }
  }

  private static List<Path> binaries() throws IOException {
    try (Stream<Path> files = Files.walk(client)) {
      List<Path> binaries = files.filter(ClientTarballTest::isElf).toList();
      assertTrue(binaries.size() >= 3, binaries::toString);
      return binaries;
    }
  }

  private static boolean isElf(Path file) {
    if (!Files.isRegularFile(file) || Files.isSymbolicLink(file)) {
      return false;
    }
    try (var in = Files.newInputStream(file)) {
      return Arrays.equals(ELF, in.readNBytes(ELF.length));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Program.Ended run(String... command) throws IOException, InterruptedException {
    Program.Ended ended = Program.run(List.of(command), Map.of());
    assertEquals(0, ended.status(), ended::toString);
    return ended;
  }
}
