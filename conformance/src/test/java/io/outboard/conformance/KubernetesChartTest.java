// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.marcnuri.helm.Helm;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Helm brings the chart into a real cluster, and takes it out of it again. */
@Lengthy
final class KubernetesChartTest {
  private static final Path CHART = Home.PATH.resolve("adapters/kubernetes/chart");
  private static SmallKubernetes cluster;

  @BeforeAll
  static void startCluster() throws Exception {
    if (SmallKubernetes.isHere()) {
      cluster = SmallKubernetes.start();
    }
  }

  @BeforeEach
  void wantKubernetes() {
    assumeTrue(cluster != null, SmallKubernetes::absent);
  }

  @AfterAll
  static void stopCluster() throws Exception {
    if (cluster != null) {
      SmallKubernetes.stop();
    }
  }

  @Test
  void theClusterTakesTheChart() throws Exception {
    String status =
        new Helm(CHART)
            .install()
            .withName("outboard")
            .withNamespace("gpus")
            .createNamespace()
            .withKubeConfig(cluster.kubeconfig())
            .set("webhook.ca", "PEM")
            .call()
            .getStatus();
    assertEquals("deployed", status);
    cluster.get("get", "deployment,service,networkpolicy,serviceaccount", "-n=gpus", "outboard");
    cluster.get("get", "clusterrole,clusterrolebinding", "outboard");
    assertEquals("No resources found", words(cluster.kubectl("get", "gpuleases", "-A")));
    String unused =
        Helm.uninstall("outboard")
            .withNamespace("gpus")
            .withKubeConfig(cluster.kubeconfig())
            .call();
    assertTrue(cluster.kubectl("get", "clusterrole", "outboard").errors().contains("NotFound"));
    assertEquals("No resources found", words(cluster.kubectl("get", "gpuleases", "-A")));
  }

  private static String words(Program.Ended ended) {
    return (ended.output() + ended.errors()).strip();
  }
}
