// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import io.outboard.lease.testkit.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The walk of the page about pools, in namespaces of a name that no other run has. */
final class PoolWalkTest {
  private static final String PREFIX = "walk-";
  private static final List<String> MACHINES =
      List.of("hub", "db", "b1", "b2", "n1", "n2", "n3", "desk");

  private final String own = PREFIX + ProcessHandle.current().pid() + "-";
  @TempDir private Path home;

  @BeforeEach
  void assumePossible() throws Exception {
    PostgresServer.assumeInstalled();
    SmallNetwork.open().remove();
  }

  /** The leavings of a walk that failed half-way. */
  @AfterEach
  void removeLeftovers() throws Exception {
    for (String machine : MACHINES) {
      String namespace = own + machine;
      String left =
          "ip netns pids %1$s && ip netns pids %1$s | xargs -r kill -9".formatted(namespace);
      Program.run(List.of("sh", "-c", left), Map.of());
      Program.run(List.of("ip", "netns", "delete", namespace), Map.of());
    }
  }

  @Test
  void theCommandsDoWhatThePageSays() throws Exception {
    String page = Files.readString(Home.PATH.resolve("docs/pool.md"));
    Path mine = Files.writeString(home.resolve("pool.md"), page.replace(PREFIX, own));
    Walk.type(mine, home);
  }
}
