// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.outboard.identity.IdentityFile;
import io.outboard.kubernetes.resource.GpuLease;
import io.outboard.kubernetes.resource.GpuLeaseSpec;
import io.outboard.kubernetes.resource.GpuLeaseStatus.Phase;
import io.outboard.kubernetes.resource.Words;
import io.outboard.office.Lease;
import io.outboard.office.testkit.TestOffice;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases of a cluster, against a mock of its API server and a real lease office with two GPUs. */
final class ClusterWatchTest {
  private static final Duration LIFE = Duration.ofMinutes(10);
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  @TempDir private Path folder;
  private final TestCluster cluster = new TestCluster();
  private TestOffice office;
  private ClusterWatch watch;
  private volatile Instant now = Instant.now();

  @BeforeEach
  void begin() throws IOException {
    office = new TestOffice(folder, 2);
    watch = watch(ClusterRules.usual());
  }

  private ClusterWatch watch(ClusterRules rules) throws IOException {
    return new ClusterWatch(
        cluster.adapter(),
        office.client(),
        rules,
        new LeaseTerms(LIFE, Duration.ZERO),
        INTERVAL,
        () -> now);
  }

  @AfterEach
  void end() {
    watch.close();
    cluster.close();
    office.close();
  }

  /** Looks until something is so. */
  private void lookUntil(Patience.Condition<Exception> condition) throws Exception {
    Patience.until(
        "the cluster is as it was",
        () -> {
          watch.look();
          return condition.holds();
        });
  }

  private void awaitPhase(String name, Phase phase) throws Exception {
    lookUntil(() -> cluster.read(name).told().phase() == phase);
  }

  private List<Lease> leases() throws IOException {
    return office.leases();
  }

  @Test
  void aLeaseFollowsItsResource() throws Exception {
    cluster.make("train", 2);
    awaitPhase("train", Phase.Granted);
    Lease lease = leases().getFirst();
    assertEquals("physics", lease.tenant());
    assertEquals("kubernetes physics/train", lease.consumer());
    assertEquals(lease.id(), cluster.read("train").told().lease());
    assertEquals("NVIDIA H200", cluster.read("train").told().model());
    assertEquals("True", cluster.read("train").told().conditions().getFirst().getStatus());
    Secret secret =
        cluster.user().secrets().inNamespace("physics").withName("train.outboard.io").require();
    assertEquals("tcp://gpu-node:14900", secret.getStringData().get("OUTBOARD"));
    assertFalse(secret.getStringData().get("OUTBOARD_TOKEN").isEmpty());
    assertEquals(
        cluster.read("train").uid(), secret.getMetadata().getOwnerReferences().getFirst().getUid());

    var unused = cluster.user().resource(cluster.read("train")).delete();
    lookUntil(() -> cluster.read("train") == null);
    assertEquals(List.of(), leases());
    assertEquals(List.of("GpuGranted", "LeaseReleased"), cluster.events("train"));
  }

  @Test
  void aLeaseWaitsAndSaysWhy() throws Exception {
    cluster.make("first", 2);
    awaitPhase("first", Phase.Granted);
    cluster.make("second", 1);
    awaitPhase("second", Phase.Pending);
    assertEquals("False", cluster.read("second").told().conditions().getFirst().getStatus());
    assertEquals(List.of("WaitingForGpu"), cluster.events("second"));
    assertNull(
        cluster.user().secrets().inNamespace("physics").withName("second.outboard.io").get());
    var unused = cluster.user().resource(cluster.read("first")).delete();
    awaitPhase("second", Phase.Granted);
  }

  /** Half of the time of each of two GPUs is there four times. */
  @Test
  void aPodHasAPartOfAGpu() throws Exception {
    for (int i = 1; i <= 3; i++) {
      cluster.make("half-" + i, new GpuLeaseSpec(1, "h200", null, new BigDecimal("0.5")));
      awaitPhase("half-" + i, Phase.Granted);
    }
    Map<String, String> part =
        Map.of(Words.GPUS, "1", Words.SHARE, "0.5", Words.MEMORY, "20Gi", Words.MODEL, "h200");
    Pod unused = cluster.makePod("job-1", part);
    lookUntil(() -> cluster.isGranted("pod-1"));
    String id = cluster.read("pod-1").told().lease();
    assertEquals(20L << 30, office.client().find(id).memory());
    cluster.make("fifth", 1);
    awaitPhase("fifth", Phase.Pending);
  }

  @Test
  void aLeaseIsRenewedWhileItsResourceIsThere() throws Exception {
    cluster.make("train", 1);
    awaitPhase("train", Phase.Granted);
    Instant end = leases().getFirst().expires().orElseThrow();
    now = now.plus(LIFE.dividedBy(2)).plusSeconds(60);
    Thread.sleep(1_000);
    watch.look();
    assertTrue(leases().getFirst().expires().orElseThrow().isAfter(end));
  }

  @Test
  void aLeaseThatIsTakenIsNotAskedForAgain() throws Exception {
    cluster.make("train", 1);
    awaitPhase("train", Phase.Granted);
    office.client().release(leases().getFirst().id(), "maintenance");
    awaitPhase("train", Phase.Ended);
    watch.look();
    assertEquals(List.of(), leases());
    assertEquals(List.of("GpuGranted", "LeaseEnded"), cluster.events("train"));
  }

  @Test
  void anImpossibleWishIsRefused() throws Exception {
    cluster.make("train", 5);
    awaitPhase("train", Phase.Refused);
    assertEquals(List.of("LeaseRefused"), cluster.events("train"));
    assertEquals(List.of(), leases());
  }

  @Test
  void aNamespaceWithoutARuleHasNothing() throws Exception {
    watch.close();
    watch =
        watch(
            new ClusterRules(
                IdentityFile.parse(
                        """
                        [rule biology]
                        from = kubernetes
                        claim.namespace = biology
                        tenant = biology
                        role = user
                        """)
                    .rules()));
    cluster.make("train", 1);
    awaitPhase("train", Phase.Refused);
    assertEquals(List.of(), leases());
  }

  @Test
  void anotherAdapterTakesOverWhereOneWasKilled() throws Exception {
    cluster.make("train", 1);
    awaitPhase("train", Phase.Granted);
    String id = leases().getFirst().id();
    GpuLease forgotten = cluster.read("train");
    forgotten.setStatus(null);
    var unused = cluster.user().resource(forgotten).updateStatus();
    watch.close();
    watch = watch(ClusterRules.usual());
    awaitPhase("train", Phase.Granted);
    assertEquals(List.of(id), leases().stream().map(Lease::id).toList());
  }

  @Test
  void aLeaseWithoutItsResourceEnds() throws Exception {
    cluster.make("train", 1);
    awaitPhase("train", Phase.Granted);
    GpuLease freed = cluster.read("train");
    freed.getMetadata().setFinalizers(List.of());
    var unused = cluster.user().resource(freed).update();
    var unusedStatus = cluster.user().resource(freed).delete();
    lookUntil(
        () -> {
          now = now.plus(INTERVAL);
          return leases().isEmpty();
        });
  }

  @Test
  void aPodHasALeaseWhileItRuns() throws Exception {
    Pod pod = cluster.makePod("job-1", Map.of(Words.GPUS, "2"));
    lookUntil(() -> cluster.isGranted("pod-1"));
    assertEquals(
        pod.getMetadata().getUid(),
        cluster.read("pod-1").getMetadata().getOwnerReferences().getFirst().getUid());
    assertEquals(List.of("GpuGranted"), cluster.events("job-1"));

    pod.getStatus().setPhase("Succeeded");
    var unused = cluster.user().resource(pod).updateStatus();
    lookUntil(() -> cluster.read("pod-1") == null);
    assertEquals(List.of(), leases());
  }
}
