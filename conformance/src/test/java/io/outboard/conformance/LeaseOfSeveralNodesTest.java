// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A lease with GPUs of two nodes, which a program has as those of one machine. All in one pool, as
 * each costs the start of seven processes.
 */
@Order(1)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class LeaseOfSeveralNodesTest {
  private static final String SEVERAL_HOSTS = Home.PROGRAMS.resolve("severalHosts").toString();

  /** Of a method, behind those without an order. */
  private static final int LAST = Integer.MAX_VALUE;

  @TempDir private static Path home;
  private static NodePool pool;

  @BeforeAll
  static void startPool() throws Exception {
    pool = new NodePool(home);
    pool.startBrokers(1);
    pool.join("n1", "software:2");
    pool.join("n2", "software:2");
  }

  @AfterAll
  static void endPool() throws Exception {
    pool.end();
  }

  private String granted(String... options) throws Exception {
    String lease = pool.lease(options);
    pool.await("granted", lease);
    return lease;
  }

  private void release(String lease) throws Exception {
    pool.typed("release", lease);
    pool.await("released", lease);
  }

  /** The rows of the devices that a program of a lease has. */
  private List<String> devices(String lease) throws Exception {
    List<String> words = List.of(home.resolve("user/outboard").toString(), "devices");
    Program.Ended listed = Program.run(words, pool.variables(lease));
    assertEquals(0, listed.status(), listed::toString);
    return listed.output().lines().skip(2).toList();
  }

  private void passes(String lease, String topic) throws Exception {
    Program.Ended ended = Program.run(pool.running(lease, SEVERAL_HOSTS, topic), pool.variables());
    assertEquals("ok", ended.output().strip(), ended::toString);
  }

  /** Memory, kernels, copies and events; and all that each node counts. */
  @Test
  void aProgramUsesTheGpusOfBothNodes() throws Exception {
    String whole = granted("--gpus=4", "--nodes=2");
    List<String> four = devices(whole);
    assertEquals(4, four.size(), four::toString);
    assertEquals(2, four.stream().filter(row -> row.contains("tcp://")).count(), four::toString);
    release(whole);
    assertEquals(4, pool.rows(whole), "one for each GPU");
    String part = granted("--gpus=2", "--nodes=2", "--spread", "--share=0.5", "--memory=1GiB");
    List<String> two = devices(part);
    assertEquals(2, two.size(), two::toString);
    assertTrue(two.stream().allMatch(row -> row.contains(" 1024 MiB")), two::toString);
    for (String topic : List.of("multi", "copies", "events", "graphs", "libraries", "apart")) {
      passes(part, topic);
    }
    release(part);
    assertEquals(2, pool.rows(part));
  }

  /** The program is on the second node's GPU, and needs nobody but the two nodes. */
  @Test
  void aProgramNeverNoticesThatItsBrokerIsAway() throws Exception {
    String lease = granted("--gpus=2", "--nodes=2", "--spread");
    Map<String, String> variables = pool.variables(lease);
    variables.put("CUDA_VISIBLE_DEVICES", "1");
    try (Steady program = Steady.start(variables)) {
      program.awaitProgress();
      pool.await("active", lease);
      pool.broker(0).kill();
      program.awaitProgress();
      try (Steady next = Steady.start(variables)) {
        next.awaitProgress();
        next.finish();
      }
      pool.broker(0).start();
      pool.await("active", lease);
      program.awaitProgress();
      program.finish();
    }
    release(lease);
  }

  /** The other one's part goes on, and is others' once the lease is released; the pool's last. */
  @Test
  @Order(LAST)
  void aNodeThatIsKilledIsAnErrorOfItsGpusAlone() throws Exception {
    String lease = granted("--gpus=2", "--nodes=2", "--spread");
    int first = pool.place(lease).contains(pool.nodes().getFirst().tcp()) ? 0 : 1;
    loseOther(lease, pool.nodes().get(1 - first));
    Program.Ended ending = pool.run("release", lease);
    assertEquals(0, ending.status(), ending::toString);
    Patience.until("the first node has ended its part", () -> pool.rows(lease) == 1);
    assertTrue(pool.isIn("draining", lease), "nobody knows of the other part");
    String next = granted("--gpus=2");
    assertTrue(pool.place(next).contains(pool.nodes().get(first).tcp()));
    pool.typed("node", "remove", "n" + (2 - first));
    pool.await("released", lease);
    assertEquals(2, pool.rows(lease), "each GPU once");
  }

  private void loseOther(String lease, Backend other) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(pool.running(lease, SEVERAL_HOSTS, "lost")).redirectErrorStream(true);
    Program.setVariables(builder, pool.variables());
    Process program = builder.start();
    try (BufferedReader lines = lines(program)) {
      assertEquals("ready", lines.readLine());
      kill(other);
      List<String> said = lines.lines().toList();
      assertEquals(0, Patience.exit(program, said::toString), said::toString);
      assertEquals("ok", said.getLast(), said::toString);
      assertTrue(said.toString().contains("is lost"), said::toString);
    }
  }

  /** As a machine does that loses its power. */
  private static void kill(Backend node) {
    ProcessHandle daemon = node.daemon();
    List<ProcessHandle> workers = node.workers();
    daemon.destroyForcibly();
    workers.forEach(ProcessHandle::destroyForcibly);
    daemon.onExit().join();
  }

  private static BufferedReader lines(Process program) throws IOException {
    return new BufferedReader(
        new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8));
  }
}
