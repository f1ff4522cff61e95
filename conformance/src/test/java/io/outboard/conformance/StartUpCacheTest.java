// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The start-up caches of the server's tarball have no code of the processor that made them: an
 * emulated one of 2008 starts with them.
 */
final class StartUpCacheTest {
  private static final String EMULATOR = "qemu-x86_64";
  private static final String PROCESSOR = "Nehalem";

  @TempDir private static Path folder;
  private static Path server;

  @BeforeAll
  static void unpack() throws IOException, InterruptedException {
    assumeTrue(Tarballs.canMakeServer(), "no jar of the command: run the build's package phase");
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "this processor is another kind");
    Program.Ended found = Program.run(List.of("sh", "-c", "command -v " + EMULATOR), Map.of());
    assumeTrue(found.status() == 0, EMULATOR + " is missing (package qemu-user)");
    server = Tarballs.unpack(Tarballs.server(), folder);
  }

  @ParameterizedTest
  @ValueSource(strings = {"command", "embedded", "worker"})
  void anOlderProcessorStartsWithIt(String name) throws Exception {
    Program.Ended ended =
        Program.run(
            List.of(
                EMULATOR,
                "-cpu",
                PROCESSOR,
                server.resolve("runtime/bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                // Here an unfit cache is an error.
                "-XX:AOTMode=on",
                "-XX:AOTCache=" + server.resolve("lib/cache").resolve(name + ".aot"),
                "-cp",
                server.resolve("lib/java/outboard-cli.jar").toString(),
                "io.outboard.cli.Outboard",
                "version"),
            Map.of());
    assertEquals(0, ended.status(), ended::toString);
    assertTrue(ended.output().startsWith("outboard "), ended::toString);
  }
}
