// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client's tarball is small and needs nothing but a C library of 2012. */
final class ClientTarballTest {
  private static final long MOST_BYTES = 5_000_000;

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
            "LICENSE",
            "README",
            "bin/outboard-run",
            "bin/outboard-where",
            "bin/outboard-connect",
            "bin/outboard-xen",
            "lib/libcuda.so.1",
            "lib/libnvidia-ml.so.1")) {
      assertTrue(Files.exists(client.resolve(file)), file);
    }
    Program.Ended help =
        Program.run(List.of(client.resolve("bin/outboard-run").toString(), "--help"), Map.of());
    assertEquals(0, help.status(), help::toString);
    assertTrue(help.output().startsWith("usage: outboard-run"), help::toString);
  }

  @Test
  void pagesLinkToPagesThatAreThere() throws IOException {
    Documents.check(client.resolve("share/doc/outboard-client"), 2);
  }

  @Test
  void theKitHasItsLicenceAndWhatItIs(@TempDir Path folder) throws Exception {
    Path kit = Tarballs.unpack(Tarballs.sdk(), folder.resolve("kit"));
    assertTrue(Files.readString(kit.resolve("LICENSE")).contains("Apache License"));
    assertTrue(Files.readString(kit.resolve("README")).contains("plugin.mk"));
  }

  @Test
  void needsNothingNewerThanGlibc217() throws IOException, InterruptedException {
    new Binaries(client, 8).needNothingNewerThanGlibc217(Set.of());
  }

  @Test
  void needsNoOtherLibrary() throws IOException, InterruptedException {
    new Binaries(client, 8).needNoOtherLibrary(Set.of("liboutboard.so"));
  }

  @Test
  void aCrossCompilerThatIsMissingIsNamedAndTheRestIsMade()
      throws IOException, InterruptedException {
    String line =
        "set -eu; root=$0 architecture=sparc64; . \"$0/cli/sh/dist.sh\"; dist_client; echo on";
    Program.Ended ended = Program.run(List.of("sh", "-c", line, Home.PATH.toString()), Map.of());
    assertEquals(
        new Program.Ended(
            0,
            "on\n",
            "outboard: no client for sparc64 is made: the cross compiler is not installed;"
                + " try 'apt-get install gcc-sparc64-linux-gnu'\n"),
        ended);
  }
}
