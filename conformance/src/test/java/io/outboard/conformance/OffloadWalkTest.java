// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The walk of the page about offloaded methods, over a link that is cut: one of the kernel's, or a
 * proxy where this machine makes none. The walk with a machine is {@link OffloadMachineWalkTest}'s.
 */
final class OffloadWalkTest {
  private static final String PAGE = "offload.md";

  /** The heading of the walk that wants a machine. */
  static final String MACHINE = "## A walk into a machine of a lease\n";

  private static final String EDGE = "10.77.41.1:14901";

  /** Stands for {@code ip}: both machines are this one, and the file says that the link is cut. */
  private static final String ONE_MACHINE =
      """
      #!/bin/sh
      case "$*" in
        'netns exec '*) shift 3; exec "$@" ;;
        *'link set wlan0 down') : >"$0.cut" ;;
        *'link set wlan0 up') rm -f "$0.cut" ;;
      esac
      """;

  @RegisterExtension private final WalkNamespaces namespaces = new WalkNamespaces("edge", "phone");

  @TempDir private Path home;

  @Test
  void theCommandsDoWhatThePageSays() throws Exception {
    if (SmallNetwork.isPossible()) {
      namespaces.type(PAGE, home, OffloadWalkTest::first);
    } else {
      typeOverProxy();
    }
  }

  private static String first(String page) {
    return page.substring(0, page.indexOf(MACHINE));
  }

  private void typeOverProxy() throws Exception {
    String edge = "127.0.0.1:" + FreePort.next();
    Script.write(home.resolve("ip"), ONE_MACHINE);
    Path cut = home.resolve("ip.cut");
    try (Proxy link = Proxy.cutBy("tcp://" + edge, () -> Files.exists(cut))) {
      String page =
          first(Files.readString(Home.PATH.resolve("docs").resolve(PAGE)))
              .replace("--listen tcp://" + EDGE, "--listen tcp://" + edge)
              .replace("tcp://" + EDGE, link.endpoint());
      Walk.type(Files.writeString(home.resolve(PAGE), page), home);
    }
  }
}
