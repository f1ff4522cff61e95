// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.outboard.identity.IdentityFile;
import io.outboard.kubernetes.resource.GpuLease;
import io.outboard.kubernetes.resource.GpuLeaseSpec;
import io.outboard.kubernetes.resource.GpuLeaseStatus.Phase;
import io.outboard.kubernetes.resource.Words;
import io.outboard.office.Lease;
import io.outboard.office.testkit.TestOffice;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases of a cluster, against a mock of its API server and a real lease office with two GPUs. */
final class ClusterWatchTest {
  private static final Duration LIFE = Duration.ofMinutes(10);
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  // Kept, so that its level is.
  private static final Logger REQUESTS = Logger.getLogger("io.fabric8.mockwebserver");

  @TempDir private Path folder;
  private TestOffice office;
  private KubernetesMockServer server;
  private KubernetesClient cluster;
  private ClusterWatch watch;
  private volatile Instant now = Instant.now();

  @BeforeAll
  static void quiet() {
    REQUESTS.setLevel(Level.WARNING);
  }

  @BeforeEach
  void begin() throws IOException {
    office = new TestOffice(folder, 2);
    server =
        new KubernetesMockServer(
            new Context(),
            new MockWebServer(),
            new HashMap<>(),
            new KubernetesCrudDispatcher(),
            false);
    server.init(InetAddress.getLoopbackAddress(), 0);
    cluster = server.createClient();
    var unused =
        cluster
            .resource(
                new NamespaceBuilder()
                    .withNewMetadata()
                    .withName("kube-system")
                    .endMetadata()
                    .build())
            .create();
    watch = watch(ClusterRules.usual());
  }

  private ClusterWatch watch(ClusterRules rules) throws IOException {
    return new ClusterWatch(
        cluster, office.client(), rules, new LeaseTerms(LIFE, Duration.ZERO), INTERVAL, () -> now);
  }

  @AfterEach
  void end() {
    watch.close();
    cluster.close();
    server.destroy();
    office.close();
  }

  private void make(String name, int gpus) {
    GpuLease lease = new GpuLease();
    lease.setMetadata(new ObjectMetaBuilder().withName(name).withNamespace("physics").build());
    lease.setSpec(new GpuLeaseSpec(gpus, "h200", null, null));
    var unused = cluster.resource(lease).create();
  }

  private GpuLease read(String name) {
    return cluster.resources(GpuLease.class).inNamespace("physics").withName(name).get();
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
    lookUntil(() -> read(name).told().phase() == phase);
  }

  private List<Lease> leases() throws IOException {
    return office.client().leases();
  }

  private List<String> events(String about) {
    return cluster.v1().events().inNamespace("physics").list().getItems().stream()
        .filter(event -> event.getInvolvedObject().getName().equals(about))
        .map(Event::getReason)
        .toList();
  }

  @Test
  void aLeaseFollowsItsResource() throws Exception {
    make("train", 2);
    awaitPhase("train", Phase.Granted);
    Lease lease = leases().getFirst();
    assertEquals("physics", lease.tenant());
    assertEquals("kubernetes physics/train", lease.consumer());
    assertEquals(lease.id(), read("train").told().lease());
    assertEquals("NVIDIA H200", read("train").told().model());
    assertEquals("True", read("train").told().conditions().getFirst().getStatus());
    Secret secret =
        cluster.secrets().inNamespace("physics").withName("train.outboard.io").require();
    assertEquals("tcp://gpu-node:14900", secret.getStringData().get("OUTBOARD"));
    assertFalse(secret.getStringData().get("OUTBOARD_TOKEN").isEmpty());
    assertEquals(
        read("train").uid(), secret.getMetadata().getOwnerReferences().getFirst().getUid());

    var unused = cluster.resource(read("train")).delete();
    lookUntil(() -> read("train") == null);
    assertEquals(List.of(), leases());
    assertEquals(List.of("GpuGranted", "LeaseReleased"), events("train"));
  }

  @Test
  void aLeaseWaitsAndSaysWhy() throws Exception {
    make("first", 2);
    awaitPhase("first", Phase.Granted);
    make("second", 1);
    awaitPhase("second", Phase.Pending);
    assertEquals("False", read("second").told().conditions().getFirst().getStatus());
    assertEquals(List.of("WaitingForGpu"), events("second"));
    assertNull(cluster.secrets().inNamespace("physics").withName("second.outboard.io").get());
    var unused = cluster.resource(read("first")).delete();
    awaitPhase("second", Phase.Granted);
  }

  @Test
  void aLeaseIsRenewedWhileItsResourceIsThere() throws Exception {
    make("train", 1);
    awaitPhase("train", Phase.Granted);
    Instant end = leases().getFirst().expires().orElseThrow();
    now = now.plus(LIFE.dividedBy(2)).plusSeconds(60);
    Thread.sleep(1_000);
    watch.look();
    assertTrue(leases().getFirst().expires().orElseThrow().isAfter(end));
  }

  @Test
  void aLeaseThatIsTakenIsNotAskedForAgain() throws Exception {
    make("train", 1);
    awaitPhase("train", Phase.Granted);
    office.client().release(leases().getFirst().id(), "maintenance");
    awaitPhase("train", Phase.Ended);
    watch.look();
    assertEquals(List.of(), leases());
    assertEquals(List.of("GpuGranted", "LeaseEnded"), events("train"));
  }

  @Test
  void anImpossibleWishIsRefused() throws Exception {
    make("train", 5);
    awaitPhase("train", Phase.Refused);
    assertEquals(List.of("LeaseRefused"), events("train"));
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
    make("train", 1);
    awaitPhase("train", Phase.Refused);
    assertEquals(List.of(), leases());
  }

  @Test
  void anotherAdapterTakesOverWhereOneWasKilled() throws Exception {
    make("train", 1);
    awaitPhase("train", Phase.Granted);
    String id = leases().getFirst().id();
    GpuLease forgotten = read("train");
    forgotten.setStatus(null);
    var unused = cluster.resource(forgotten).updateStatus();
    watch.close();
    watch = watch(ClusterRules.usual());
    awaitPhase("train", Phase.Granted);
    assertEquals(List.of(id), leases().stream().map(Lease::id).toList());
  }

  @Test
  void aLeaseWithoutItsResourceEnds() throws Exception {
    make("train", 1);
    awaitPhase("train", Phase.Granted);
    GpuLease freed = read("train");
    freed.getMetadata().setFinalizers(List.of());
    var unused = cluster.resource(freed).update();
    var unusedStatus = cluster.resource(freed).delete();
    lookUntil(
        () -> {
          now = now.plus(INTERVAL);
          return leases().isEmpty();
        });
  }

  private Pod pod(String phase) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("job-1")
        .withNamespace("physics")
        .withLabels(Map.of(Words.LEASE, "pod-1"))
        .withAnnotations(Map.of(Words.GPUS, "2"))
        .endMetadata()
        .withNewStatus()
        .withPhase(phase)
        .endStatus()
        .build();
  }

  @Test
  void aPodHasALeaseWhileItRuns() throws Exception {
    Pod pod = cluster.resource(pod("Pending")).create();
    lookUntil(() -> read("pod-1") != null && read("pod-1").told().phase() == Phase.Granted);
    assertEquals(
        pod.getMetadata().getUid(),
        read("pod-1").getMetadata().getOwnerReferences().getFirst().getUid());
    assertEquals(List.of("GpuGranted"), events("job-1"));

    pod.getStatus().setPhase("Succeeded");
    var unused = cluster.resource(pod).updateStatus();
    lookUntil(() -> read("pod-1") == null);
    assertEquals(List.of(), leases());
  }
}
