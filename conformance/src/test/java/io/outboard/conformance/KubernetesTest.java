// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods of a real Kubernetes of one node have the GPUs of a backend. */
@Lengthy
final class KubernetesTest {
  /** As the page has it, so that it is built once. */
  private static final Path ROOT = Path.of("/var/tmp/outboard-kubernetes");

  private static final Path SCRIPT = Home.PATH.resolve("conformance/kubernetes/cluster");

  @Test
  void thePageIsWalked(@TempDir Path user) throws Exception {
    assumeTrue(
        Files.isExecutable(ROOT.resolve("bin/kubelet")),
        () -> "no Kubernetes is there: " + SCRIPT + " make " + ROOT);
    try {
      Walk.type(Home.PATH.resolve("docs/kubernetes.md"), user);
    } finally {
      Program.Ended unused =
          Program.run(List.of(SCRIPT.toString(), "stop", ROOT.toString()), Map.of());
    }
  }
}
