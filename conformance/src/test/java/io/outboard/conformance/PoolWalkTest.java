// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import io.outboard.lease.testkit.PostgresServer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The walk of the page about pools. */
@Lengthy
final class PoolWalkTest {
  @RegisterExtension
  private final WalkNamespaces namespaces =
      new WalkNamespaces("hub", "db", "b1", "b2", "n1", "n2", "n3", "desk");

  @TempDir private Path home;

  @BeforeEach
  void assumePossible() throws Exception {
    PostgresServer.assumeInstalled();
    SmallNetwork.open().remove();
  }

  @Test
  void theCommandsDoWhatThePageSays() throws Exception {
    namespaces.type("pool.md", home);
  }
}
