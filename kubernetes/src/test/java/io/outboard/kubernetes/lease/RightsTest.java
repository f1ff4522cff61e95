// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.outboard.kubernetes.manifest.Manifests;
import io.outboard.kubernetes.resource.Words;
import io.outboard.office.testkit.TestOffice;
import io.outboard.patience.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The account of the service has each right that the service uses, and no other one. */
final class RightsTest {
  private static final LeaseTerms TERMS = new LeaseTerms(Duration.ofMinutes(10), Duration.ZERO);

  private static Set<Right> granted() {
    String text =
        new Manifests(
                "outboard",
                "PEM",
                Manifests.FailurePolicy.Fail,
                Optional.empty(),
                new Manifests.Inside("outboard:1", "outboard-client:1", "https://broker:14902"))
            .text();
    return Right.granted(text, "outboard");
  }

  /** All that the service does with a cluster, once. */
  @Test
  void eachIsUsedAndNoOther(@TempDir Path folder) throws Exception {
    try (TestCluster cluster = new TestCluster();
        TestOffice office = new TestOffice(folder, 2);
        ClusterWatch watch =
            new ClusterWatch(
                cluster.adapter(),
                office.client(),
                ClusterRules.usual(),
                TERMS,
                Duration.ofSeconds(10),
                Instant::now)) {
      takeTheSecretsName(cluster);
      Pod pod = cluster.makePod("job-1", Map.of(Words.GPUS, "2"));
      lookUntil(watch, () -> cluster.isGranted("pod-1"));
      pod.getStatus().setPhase("Succeeded");
      var unused = cluster.user().resource(pod).updateStatus();
      lookUntil(watch, () -> cluster.read("pod-1") == null);
      assertEquals(granted(), cluster.used());
    }
  }

  /** One that is there is written over, and not read. */
  private static void takeTheSecretsName(TestCluster cluster) {
    var unused =
        cluster
            .user()
            .resource(
                new SecretBuilder()
                    .withNewMetadata()
                    .withName("pod-1.outboard.io")
                    .withNamespace("physics")
                    .endMetadata()
                    .build())
            .create();
  }

  private static void lookUntil(ClusterWatch watch, Patience.Condition<Exception> condition)
      throws Exception {
    Patience.until(
        "the cluster is as it was",
        () -> {
          watch.look();
          return condition.holds();
        });
  }
}
