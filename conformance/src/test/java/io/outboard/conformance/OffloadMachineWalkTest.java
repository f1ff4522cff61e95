// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The walk from an empty folder to a method in a machine that is made for a lease, whose GPU is
 * remote. Both links are cut, and each time the result arrives.
 */
@Lengthy
final class OffloadMachineWalkTest {
  private static final String PAGE = "offload.md";

  @RegisterExtension
  private final WalkNamespaces namespaces = new WalkNamespaces("edge", "phone", "node");

  @TempDir private Path home;

  @Test
  void theCommandsDoWhatThePageSays() throws Exception {
    assumeTrue(PlainImage.isHere(), PlainImage::absent);
    assumeTrue(SmallNetwork.isPossible(), "this machine makes no network namespaces");
    Path server = Tarballs.server();
    namespaces.type(PAGE, home, page -> machineOf(page, server));
  }

  /** The project and the telephone of the first walk, then the walk with the machine. */
  private static String machineOf(String page, Path server) {
    String begun = page.substring(0, page.indexOf("The operator of the edge"));
    String machine = page.substring(page.indexOf(OffloadWalkTest.MACHINE));
    return begun
        + machine.replace(
            "${SERVER:-$(ls target/dist/outboard-server-*.tar.gz)}", server.toString());
  }
}
