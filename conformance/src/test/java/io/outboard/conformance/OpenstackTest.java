// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines of a real Nova, with its fake driver, have the GPUs of a backend. */
@Lengthy
final class OpenstackTest {
  @Test
  void thePageIsWalked(@TempDir Path user) throws Exception {
    assumeTrue(SmallCloud.isHere(), SmallCloud::absent);
    SmallCloud.stop();
    try {
      Walk.type(Home.PATH.resolve("docs/openstack.md"), user);
    } finally {
      SmallCloud.stop();
    }
  }
}
