// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines of a real Nova, with its fake driver, have the GPUs of a backend. */
@Lengthy
final class OpenstackTest {
  private static final Path CLOUD = Path.of("/var/tmp/outboard-cloud");
  private static final Path SCRIPT = Home.PATH.resolve("conformance/openstack/cloud");

  @Test
  void thePageIsWalked(@TempDir Path user) throws Exception {
    assumeTrue(
        Files.isExecutable(CLOUD.resolve("usr/bin/nova-api")),
        () -> "no OpenStack is there: " + SCRIPT + " make " + CLOUD);
    try {
      Walk.type(Home.PATH.resolve("docs/openstack.md"), user);
    } finally {
      Program.Ended ended =
          Program.run(List.of(SCRIPT.toString(), "stop", CLOUD.toString()), Map.of());
      assertEquals(0, ended.status(), ended::toString);
    }
  }
}
