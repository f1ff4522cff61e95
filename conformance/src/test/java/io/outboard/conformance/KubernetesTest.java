// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods of a real Kubernetes of one node have the GPUs of a backend. */
@Lengthy
final class KubernetesTest {
  @Test
  void thePageIsWalked(@TempDir Path user) throws Exception {
    assumeTrue(SmallKubernetes.isHere(), SmallKubernetes::absent);
    try {
      Walk.type(Home.PATH.resolve("docs/kubernetes.md"), user);
    } finally {
      SmallKubernetes.stop();
    }
  }
}
