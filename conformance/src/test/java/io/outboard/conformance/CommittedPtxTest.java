// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The committed PTX is what the compiler makes of the committed kernels. */
final class CommittedPtxTest {
  @Test
  void isWhatClangMakes() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/clang++-19")), "clang-19 is not installed");
    Program.Ended ended =
        Program.run(
            List.of("make", "-s", "-C", Home.PATH.resolve("examples").toString(), "check-ptx"),
            Map.of());
    assertEquals(0, ended.status(), ended::toString);
  }
}
