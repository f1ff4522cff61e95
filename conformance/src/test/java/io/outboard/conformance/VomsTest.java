// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member of a grid, whose attributes are signed by VOMS's own program, has a backend's GPUs. */
final class VomsTest {
  @Test
  void thePageIsWalked(@TempDir Path user) throws Exception {
    assumeTrue(
        Program.isHere("voms-proxy-fake") && Program.isHere("python3"),
        "voms-clients is not installed");
    Walk.type(Home.PATH.resolve("docs/voms.md"), user);
  }
}
