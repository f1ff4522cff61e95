// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Pod;
import io.outboard.kubernetes.resource.GpuLeaseStatus.Phase;
import io.outboard.kubernetes.resource.Words;
import io.outboard.lease.Identity;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.office.Lease;
import io.outboard.office.LeaseOffice;
import io.outboard.office.Part;
import io.outboard.office.testkit.TestOffice;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The API server and the office fail: no lease is lost, none is there twice, and none is left. */
final class ClusterFaultsTest {
  private static final int GONE = 410;
  private static final int CONFLICT = 409;
  private static final int BROKEN = 500;
  private static final String GROUP = "outboard.io";
  private static final String LEASES = "gpuleases";
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  @TempDir private Path folder;
  private final TestCluster cluster = new TestCluster();
  private TestOffice office;
  private ClusterWatch watch;
  private volatile Instant now = Instant.now();

  @BeforeEach
  void begin() throws IOException {
    office = new TestOffice(folder, 2);
  }

  private void watch() throws IOException {
    watch =
        new ClusterWatch(
            cluster.adapter(),
            office.client(),
            ClusterRules.usual(),
            new LeaseTerms(Duration.ofMinutes(10), Duration.ZERO),
            INTERVAL,
            () -> now);
  }

  @AfterEach
  void end() {
    watch.close();
    cluster.close();
    office.close();
  }

  /** Looks until something is so, whatever fails meanwhile. */
  private void lookUntil(Patience.Condition<Exception> condition) throws Exception {
    Patience.until(
        "the cluster is as it was",
        () -> {
          try {
            watch.look();
          } catch (IOException e) {
            return false;
          }
          return condition.holds();
        });
  }

  private void awaitPhase(String name, Phase phase) throws Exception {
    lookUntil(() -> cluster.read(name).told().phase() == phase);
  }

  private List<String> leases() throws IOException {
    return office.leases().stream().map(Lease::id).toList();
  }

  private void assertNothingIsLeftOf(String name) throws Exception {
    cluster.delete(name);
    lookUntil(() -> cluster.read(name) == null);
    assertEquals(List.of(), leases());
  }

  @ParameterizedTest
  @CsvSource({LEASES, "pods"})
  void aWatchThatIsTooOldIsBegunAnew(String resource) throws Exception {
    cluster.fail(new Right(resource.equals(LEASES) ? GROUP : "", resource, "watch"), GONE, 2);
    watch();
    Pod pod = cluster.makePod("job-1", Map.of(Words.GPUS, "2"));
    lookUntil(() -> cluster.isGranted("pod-1"));
    assertTrue(cluster.hasFailed());
    var unused = cluster.user().resource(pod).delete();
    lookUntil(
        () -> {
          now = now.plus(INTERVAL);
          return leases().isEmpty();
        });
  }

  @ParameterizedTest
  @CsvSource({
    GROUP + "," + LEASES + ",update," + CONFLICT + ",2",
    GROUP + "," + LEASES + "/status,update," + CONFLICT + ",2",
    GROUP + "," + LEASES + ",update," + BROKEN + ",2",
    GROUP + "," + LEASES + "/status,update," + BROKEN + ",2",
    "''," + "secrets,create," + BROKEN + ",2",
    // One that nobody could be told of is not told again.
    "''," + "events,create," + BROKEN + ",1",
  })
  void aChangeThatFailsIsMadeAnew(String group, String resource, String verb, int status, int times)
      throws Exception {
    cluster.fail(new Right(group, resource, verb), status, times);
    watch();
    cluster.make("train", 1);
    awaitPhase("train", Phase.Granted);
    lookUntil(cluster::hasFailed);
    assertEquals(1, leases().size());
    assertNotNull(
        cluster.user().secrets().inNamespace("physics").withName("train.outboard.io").get());
    assertNothingIsLeftOf("train");
  }

  /** The eviction of a pod is over once its grace is, whether its node says so or not. */
  @Test
  void aPodOfANodeThatIsGoneHasItsLeaseForItsTimeToEnd() throws Exception {
    watch();
    Pod pod = cluster.makePod("job-1", Map.of(Words.GPUS, "2"));
    lookUntil(() -> cluster.isGranted("pod-1"));
    now = now.minus(INTERVAL);
    var unused = cluster.user().resource(pod).delete();
    Patience.until(
        "the pod is told to end",
        () -> cluster.user().resource(pod).get().getMetadata().getDeletionTimestamp() != null);
    watch.look();
    assertEquals(1, leases().size());
    lookUntil(
        () -> {
          now = now.plus(INTERVAL);
          return cluster.read("pod-1") == null;
        });
    assertEquals(List.of(), leases());
  }

  @Test
  void aRequestThatWasMadeTwiceLeavesOneLease() throws Exception {
    watch();
    cluster.make("train", 1);
    awaitPhase("train", Phase.Granted);
    Lease first = office.leases().getFirst();
    Lease unused =
        office
            .client()
            .request(
                new LeaseOffice.Request(
                    new Standing(Role.USER, "physics"),
                    Identity.JOB,
                    first.job(),
                    first.consumer(),
                    Part.whole(TestOffice.MODEL, 1),
                    Duration.ofMinutes(10),
                    Duration.ZERO));
    assertEquals(2, leases().size());
    lookUntil(() -> leases().equals(List.of(first.id())));
    assertNothingIsLeftOf("train");
  }

  @Test
  void anOfficeThatIsAwayIsAskedAnew() throws Exception {
    watch();
    cluster.make("kept", 1);
    awaitPhase("kept", Phase.Granted);
    String id = leases().getFirst();
    office.close();
    cluster.make("asked", 1);
    cluster.delete("kept");
    IOException unused = assertThrows(IOException.class, watch::look);
    assertTrue(cluster.read("kept").isDeleted(), "its lease is not released yet");
    assertEquals(null, cluster.read("asked").told().phase());
    watch.close();
    office = new TestOffice(folder, 2);
    watch();
    awaitPhase("asked", Phase.Granted);
    lookUntil(() -> cluster.read("kept") == null);
    assertEquals(1, leases().size());
    assertTrue(!leases().contains(id), "it is another one");
  }
}
