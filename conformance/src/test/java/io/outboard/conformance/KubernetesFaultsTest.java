// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each party of a real cluster is killed at each step of a pod's life and begins again: the pod has
 * one lease and keeps it, another pod waits for its GPUs, and nothing is left of either.
 */
@Lengthy
final class KubernetesFaultsTest {
  private static final String LONG = "10m";
  private static final String NAMESPACE = "default";

  @TempDir private static Path home;
  private static SmallKubernetes cluster;
  private static KubernetesPool pool;

  @BeforeAll
  static void startAll() throws Exception {
    if (SmallKubernetes.isHere()) {
      cluster = SmallKubernetes.start();
      pool = new KubernetesPool(home, cluster);
    }
  }

  @BeforeEach
  void wantKubernetes() {
    assumeTrue(cluster != null, SmallKubernetes::absent);
  }

  @AfterEach
  void endServices() throws Exception {
    if (cluster != null) {
      pool.endServices();
    }
  }

  @AfterAll
  static void endAll() throws Exception {
    if (cluster == null) {
      return;
    }
    try {
      if (pool != null) {
        pool.close();
      }
    } finally {
      SmallKubernetes.stop();
    }
  }

  /** A party that is killed. */
  private interface Fault {
    void kill() throws Exception;

    void again() throws Exception;
  }

  private static Fault process(String name) {
    return new Fault() {
      @Override
      public void kill() throws Exception {
        cluster.kill(name);
      }

      @Override
      public void again() throws Exception {
        cluster.again(name);
      }
    };
  }

  private static Program.Ended create(String name, int gpus) throws Exception {
    Path file = home.resolve(name + ".yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s}
        spec:
          hostNetwork: true
          restartPolicy: Never
          terminationGracePeriodSeconds: 1
          containers:
          - name: main
            image: localhost/app:1
            command: [sh, -c, vectorAdd && sleep 3600]
            resources: {limits: {outboard.io/gpu: %d}}
        """
            .formatted(name, gpus));
    return cluster.kubectl("create", "-f", file.toString());
  }

  /** A pod that the webhook has changed is not applied again: its file says other limits. */
  private static void begin(String name, int gpus) throws Exception {
    Patience.until(() -> "pod " + name + " is taken", () -> isTaken(create(name, gpus)));
  }

  private static boolean isTaken(Program.Ended created) {
    return created.status() == 0 || created.errors().contains("AlreadyExists");
  }

  private static String field(String name, String path) throws Exception {
    return cluster.get("get", "pod", name, "-o", "jsonpath={" + path + "}");
  }

  private static void awaitRunning(String name, int gpus) throws Exception {
    Patience.until(() -> "pod " + name + " runs" + said(name), () -> isRunning(name, gpus));
    Patience.until(
        () -> "its program passes" + said(name),
        () ->
            cluster
                .kubectl("logs", name, "--insecure-skip-tls-verify-backend")
                .output()
                .contains("vectorAdd: PASSED on "));
  }

  /** A kubelet refuses a pod for good whose plug-in is away, as a job begins another one. */
  private static boolean isRunning(String name, int gpus) throws Exception {
    if (field(name, ".status.reason").equals("UnexpectedAdmissionError")) {
      delete(name);
      begin(name, gpus);
    }
    return field(name, ".status.phase").equals("Running");
  }

  private static String said(String name) {
    try {
      return ": "
          + cluster.kubectl("describe", "pod", name)
          + cluster.kubectl("get", "gpuleases", "-o", "yaml")
          + pool.errors();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** The leases of a pod that are not over. */
  private static List<JsonNode> leases(String name) throws Exception {
    String lease = field(name, ".metadata.labels.outboard\\.io/lease");
    String consumer = "kubernetes %s/%s".formatted(NAMESPACE, lease);
    return pool.leases().stream()
        .filter(one -> one.get("consumer").asText().equals(consumer))
        .toList();
  }

  /** The lease of a pod that has one alone. */
  private static String lease(String name) throws Exception {
    List<JsonNode> all = leases(name);
    assertEquals(1, all.size(), all::toString);
    return all.getFirst().get("id").asText();
  }

  private static void delete(String name) throws Exception {
    Patience.until(
        () -> "pod " + name + " is gone" + said(name),
        () ->
            cluster.kubectl("delete", "pod", name, "--ignore-not-found", "--wait=false").status()
                    == 0
                && cluster.kubectl("get", "pod", name).errors().contains("NotFound"));
  }

  private static void awaitNothing() throws Exception {
    Patience.until(() -> "no lease is left" + said("-"), () -> pool.leases().isEmpty());
    Patience.until(
        () -> "the cluster has none either" + said("-"),
        () -> cluster.get("get", "gpuleases", "--output=name").isEmpty());
    Patience.until(
        () -> "no secret is left" + said("-"),
        () ->
            cluster
                .get("get", "secrets", "--field-selector=type=outboard.io/lease", "--output=name")
                .isEmpty());
  }

  private static void assertSurvived(Fault fault) throws Exception {
    fault.kill();
    // Whether it is taken depends on who is away.
    Program.Ended unused = create("first", 2);
    fault.again();
    begin("first", 2);
    fault.kill();
    fault.again();
    awaitRunning("first", 2);
    String lease = lease("first");

    begin("second", 1);
    fault.kill();
    fault.again();
    Patience.until(() -> "it waits" + said("second"), () -> leases("second").size() == 1);
    assertEquals("requested", leases("second").getFirst().get("state").asText());
    assertEquals(lease, lease("first"), "a pod that runs keeps its lease");
    assertEquals("Running", field("first", ".status.phase"));
    assertEquals("0", field("first", ".status.containerStatuses[0].restartCount"));

    fault.kill();
    unused = cluster.kubectl("delete", "pod", "first", "--wait=false");
    fault.again();
    delete("first");
    awaitRunning("second", 1);
    String other = lease("second");
    assertTrue(!other.equals(lease), "it is another one");
    delete("second");
    awaitNothing();
  }

  @Test
  void theApiServerIsKilledAtEachStep() throws Exception {
    pool.startAdapter(LONG);
    assertSurvived(process("api"));
  }

  @Test
  void theKubeletIsKilledAtEachStep() throws Exception {
    pool.startAdapter(LONG);
    assertSurvived(process("kubelet"));
  }

  @Test
  void theServiceAndItsWebhookAreKilledAtEachStep() throws Exception {
    pool.startAdapter(LONG);
    assertSurvived(
        new Fault() {
          @Override
          public void kill() throws Exception {
            pool.killAdapter();
          }

          @Override
          public void again() throws Exception {
            pool.startAdapter(LONG);
          }
        });
  }

  @Test
  void theOfficeIsKilledAtEachStep() throws Exception {
    pool.startAdapter(LONG);
    assertSurvived(
        new Fault() {
          @Override
          public void kill() throws Exception {
            pool.killOffice();
          }

          @Override
          public void again() throws Exception {
            pool.startOffice();
          }
        });
  }

  @Test
  void thePlugInIsKilledAtEachStep() throws Exception {
    pool.startAdapter(LONG, "--by-nodes");
    pool.startPlugin();
    Patience.until(() -> "the node has GPUs" + pool.errors(), () -> gpus().equals("2"));
    assertSurvived(
        new Fault() {
          @Override
          public void kill() throws Exception {
            pool.killPlugin();
          }

          @Override
          public void again() throws Exception {
            pool.startPlugin();
          }
        });
  }

  private static String gpus() throws Exception {
    return cluster.get(
        "get", "node", "localhost", "-o", "jsonpath={.status.allocatable.outboard\\.io/gpu}");
  }

  @Test
  void aServiceThatStaysAwayLeavesNothingPastTheLifeOfItsLeases() throws Exception {
    pool.startAdapter("30s");
    begin("first", 2);
    awaitRunning("first", 2);
    pool.killAdapter();
    delete("first");
    Patience.until(() -> "its lease ends" + pool.errors(), () -> pool.leases().isEmpty());
    pool.startAdapter(LONG);
    awaitNothing();
  }
}
