// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of a real Slurm, on nodes without a GPU, have the two GPUs of a backend. */
final class SlurmTest {
  private static final String SEE = Home.PROGRAMS.resolve("lease").toString();
  private static final String LONG = "sleep 600";

  @TempDir private static Path home;
  private static SlurmCluster cluster;
  private static JobPool pool;

  @BeforeAll
  static void startAll() throws Exception {
    if (!SlurmCluster.isHere()) {
      return;
    }
    cluster = SlurmCluster.start();
    pool = new JobPool(home, cluster);
  }

  @BeforeEach
  void wantSlurm() {
    assumeTrue(cluster != null, "Slurm is not installed");
  }

  @AfterAll
  static void endAll() throws Exception {
    if (cluster != null) {
      cluster.end();
    }
    if (pool != null) {
      pool.close();
    }
  }

  /** Whatever a test did: no job is left, and each lease has ended with its job. */
  @AfterEach
  void nothingIsLeft() throws Exception {
    if (cluster == null) {
      return;
    }
    cluster.says("sh", "-c", "squeue --noheader --format=%A | xargs -r scancel");
    Patience.until(
        () -> "no job is left" + cluster.logs(),
        () -> cluster.run("squeue", "--noheader").output().isBlank());
    Patience.until("no lease is left", () -> pool.living() == 0);
    assertEquals(List.of(), listed(cluster.file("1", "c1").getParent()));
  }

  private static List<Path> listed(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }

  private static String id(JsonNode lease) {
    return lease.get("id").asText();
  }

  @Test
  void aJobHasWhatItAsksForByEitherOption() throws Exception {
    for (String option : List.of("--gres=rgpu:a100:2", "--licenses=rgpu:2")) {
      assertTrue(cluster.says("srun", option, SEE, "see").startsWith("2 devices"), option);
    }
    assertEquals(
        Home.VECTOR_ADD_PASSED.replace("Outboard Software GPU", "NVIDIA A100-SXM4-80GB (software)"),
        cluster.says("srun", "--licenses=rgpu", Home.VECTOR_ADD.toString()) + "\n");
    String ranks =
        cluster.says(
            "srun",
            "--ntasks=2",
            "--licenses=rgpu:2",
            "sh",
            "-c",
            "CUDA_VISIBLE_DEVICES=$SLURM_PROCID exec " + SEE + " see");
    assertEquals(2, ranks.lines().filter(line -> line.startsWith("1 devices")).count(), ranks);
    assertEquals("none", cluster.says("srun", "sh", "-c", "echo ${OUTBOARD:-none}"));
  }

  @Test
  void eachNodeOfAJobHasItsOwn() throws Exception {
    String program = "echo $SLURMD_NODENAME $CUDA_VISIBLE_DEVICES $(" + SEE + " see)";
    String seen = cluster.says("srun", "--nodes=2", "--gres=rgpu:1", "sh", "-c", program);
    Set<String> lines = new TreeSet<>(seen.lines().toList());
    assertEquals(2, lines.size(), seen);
    assertTrue(lines.stream().allMatch(line -> line.matches("c. [01] 1 devices.*")), seen);
    assertEquals(2, lines.stream().map(line -> line.charAt(3)).distinct().count(), seen);
  }

  @Test
  void processesThatAJobLeavesHaveNoGpu(@TempDir Path folder) throws Exception {
    Path said = folder.resolve("said");
    String job =
        cluster.submit(
            "setsid -f %1$s work >%2$s; until [ -s %2$s ]; do sleep 0.2; done".formatted(SEE, said),
            "--licenses=rgpu:1");
    Patience.until(() -> "its call fails" + cluster.logs(), () -> lines(said).size() == 2);
    assertEquals("working", lines(said).getFirst());
    assertNotEquals("0", lines(said).getLast());
    assertEquals(List.of("released"), statesOf(job));
  }

  private static List<String> statesOf(String job) throws Exception {
    return pool.leases().stream()
        .filter(lease -> lease.get("consumerId").asText().equals("trial/" + job))
        .map(lease -> lease.get("state").asText())
        .toList();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A lease is its job's: it ends with that, and has one account whoever uses it. */
  @Test
  void aJobThatUsesTheLeaseOfAnotherOneEndsWithIt(@TempDir Path folder) throws Exception {
    Path variables = folder.resolve("variables");
    String owner =
        cluster.submit(
            "export -p | grep -e OUTBOARD -e LIBRARY >%1$s.new; mv %1$s.new %1$s; %2$s"
                .formatted(variables, LONG),
            "--licenses=rgpu:1");
    Patience.until(() -> "the first job runs" + cluster.logs(), () -> Files.exists(variables));
    Path said = folder.resolve("said");
    String unused = cluster.submit(". %s; %s work >%s".formatted(variables, SEE, said));
    Patience.until(() -> "it works" + cluster.logs(), () -> lines(said).size() == 1);
    cluster.says("scancel", owner);
    Patience.until(
        () -> "its call fails: " + lines(said) + cluster.logs(), () -> lines(said).size() == 2);
    pool.assertNothingIsCountedTwice();
  }

  @Test
  void whatIsNotClearIsRefused() throws Exception {
    Map<String, List<String>> wrong =
        Map.of(
            "say how many with -N", List.of("--ntasks=4", "--gres=rgpu:1"),
            "not by both", List.of("--licenses=rgpu:1", "--gres=rgpu:1"),
            "of one model", List.of("--licenses=rgpu_a100:1,rgpu_h200:1"),
            "1 to 1024", List.of("--licenses=rgpu:0"),
            "Invalid license", List.of("--licenses=rgpu:3"));
    for (Map.Entry<String, List<String>> each : wrong.entrySet()) {
      List<String> command = new ArrayList<>(List.of("srun"));
      command.addAll(each.getValue());
      command.add("true");
      Program.Ended ended = cluster.run(command.toArray(String[]::new));
      assertEquals(1, ended.status(), ended::toString);
      assertTrue(ended.errors().contains(each.getKey()), ended::toString);
    }
  }

  @Test
  void nobodyElseReadsAJobsToken() throws Exception {
    assumeTrue(outboardUser().equals("root"), "root alone starts jobs of others");
    Program.Ended submitted =
        cluster.runAsNobody(
            "sbatch",
            "--parsable",
            "--output=/dev/null",
            "--chdir=/",
            "--licenses=rgpu:1",
            "--wrap=" + LONG);
    assertEquals(0, submitted.status(), submitted::toString);
    String job = submitted.output().strip();
    cluster.await(job, "RUNNING");
    String secret = pool.says("leases", "--token", id(pool.lease(job)));
    Path file = cluster.file(job, "c1");
    awaitTask();
    assertTrue(Files.readString(file).contains(secret));
    assertEquals("r--------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(0, cluster.runAsNobody("cat", file.toString()).status());
    Program.Ended other =
        Program.run(
            List.of(
                "setpriv", "--reuid=65533", "--regid=65533", "--clear-groups", "cat", "" + file),
            Map.of());
    assertEquals(1, other.status(), "another user reads the token");
    assertTrue(!cluster.says("scontrol", "--details", "show", "job", job).contains(secret));
    assertTrue(!processes().contains(secret), "the token is on a command line");
    assertTrue(!cluster.logs().contains(secret), "the token is in a log");
    cluster.says("scancel", job);
  }

  private static String outboardUser() throws Exception {
    return Program.run(List.of("id", "-un"), Map.of()).output().strip();
  }

  /** Waits until the task of a long job runs: what befalls a job before that, its prolog hears. */
  private static void awaitTask() throws Exception {
    Patience.until("the task runs", () -> processes().contains("\n" + LONG + "\n"));
  }

  private static String processes() throws Exception {
    return Program.run(List.of("ps", "-eo", "args"), Map.of()).output();
  }

  @Test
  void aLeaseEndsWithItsJobAndIsAnotherAfterARequeue() throws Exception {
    String job = cluster.submit(LONG + " & " + LONG, "--licenses=rgpu:2", "--time=10");
    cluster.await(job, "RUNNING");
    String first = id(pool.lease(job));
    cluster.says("scontrol", "requeue", job);
    cluster.await(job, "PENDING");
    Patience.until("the lease ends", () -> pool.state(first).startsWith("released"));
    // Within the second of the requeue a node would take the new start for the old one.
    cluster.says("scontrol", "update", "job", job, "StartTime=now+3");
    cluster.await(job, "RUNNING");
    String second = id(pool.lease(job));
    assertNotEquals(first, second);
    cluster.says("scancel", job);
    Patience.until("the lease ends", () -> pool.state(second).startsWith("released"));
    assertEquals("released the job has ended", pool.state(second));
  }

  @Test
  void eachJobOfAnArrayHasItsOwn() throws Exception {
    String array = cluster.submit(SEE + " see", "--licenses=rgpu:1", "--array=1-3");
    Patience.until(
        () -> "the array ends" + cluster.logs(),
        () -> cluster.run("squeue", "--noheader").output().isBlank());
    List<JsonNode> its =
        pool.leases().stream()
            .filter(lease -> number(lease) >= Long.parseLong(array))
            .filter(lease -> number(lease) <= Long.parseLong(array) + 2)
            .toList();
    assertEquals(3, its.size(), its::toString);
  }

  /** Of the job that a lease is of; 0 of one of nobody's. */
  private static long number(JsonNode lease) {
    String consumer = lease.get("consumerId").asText();
    return consumer.startsWith("trial/") ? Long.parseLong(consumer.substring(6)) : 0;
  }

  @Test
  void aLeaseIsSuspendedAndLivesAsLongAsItsJob() throws Exception {
    String job = cluster.submit(LONG, "--licenses=rgpu:1", "--time=10");
    cluster.await(job, "RUNNING");
    String lease = id(pool.lease(job));
    awaitTask();
    cluster.says("scontrol", "suspend", job);
    cluster.watch();
    assertTrue(pool.state(lease).startsWith("held the job is suspended"), pool.state(lease));
    cluster.says("scontrol", "resume", job);
    cluster.watch();
    assertTrue(pool.state(lease).matches("(granted|active|idle) .*"), pool.state(lease));
    String before = pool.lease(job).get("expires").asText();
    cluster.says("scontrol", "update", "job", job, "TimeLimit=60");
    cluster.watch();
    assertTrue(pool.lease(job).get("expires").asText().compareTo(before) > 0, before);
  }

  @Test
  void aLeaseEndsThoughItsEpilogIsLost() throws Exception {
    String job = cluster.submit(LONG, "--licenses=rgpu:1");
    cluster.await(job, "RUNNING");
    String lost = id(pool.lease(job));
    pool.kill();
    cluster.says("scancel", job);
    Patience.until("the job ends", () -> cluster.run("squeue", "--noheader").output().isBlank());
    pool.serve();
    assertTrue(JobPool.isAlive(pool.find(lost)), pool.state(lost));
    pool.configure("");
    cluster.watch();
    assertTrue(pool.state(lost).startsWith("released the job is "), pool.state(lost));
  }

  @Test
  void aLeaseOutlivesItsControllerAndNotItsNode() throws Exception {
    String job = cluster.submit(LONG, "--licenses=rgpu:1", "--no-requeue", "--nodelist=c3");
    cluster.await(job, "RUNNING");
    String lease = id(pool.lease(job));
    awaitTask();
    cluster.replaceController(job);
    cluster.watch();
    assertTrue(JobPool.isAlive(pool.find(lease)), pool.state(lease));
    cluster.await(job, "RUNNING");
    cluster.loseNode("c3", job);
    Patience.until("the node is missed", () -> pool.state(lease).startsWith("released"));
    cluster.startNode("c3");
  }

  @Test
  void licencesFollowWhatOthersUse() throws Exception {
    String others = pool.says("lease", "--gpus=2", "--for=1h", "--tenant=vm", "--detach");
    Program.Ended refused = cluster.run("srun", "--licenses=rgpu:1", "true");
    assertTrue(refused.errors().contains("PrologSlurmctld failed"), refused::toString);
    assertEquals(0, pool.living(), "a request that nobody waits for");
    pool.configure("reservation = outboard\n");
    cluster.watch();
    String job = cluster.submit("true", "--licenses=rgpu:1");
    Patience.until(
        "the job waits for licences",
        () -> cluster.run("squeue", "--noheader", "--format=%r").output().contains("icense"));
    pool.says("release", others);
    cluster.watch();
    Patience.until("job " + job, () -> cluster.run("squeue", "--noheader").output().isBlank());
    pool.configure("");
    cluster.says("scontrol", "delete", "ReservationName=outboard");
  }

  @Test
  void aTaskWithoutItsLeaseIsTold() throws Exception {
    String prepared =
        "SLURM_JOB_ID=999999 SLURM_JOB_UID=$(id -u) SLURM_CLUSTER_NAME=trial SLURMD_NODENAME=c1"
            + " SLURM_JOB_COMMENT=rgpu:1";
    String script =
        "export %s; %s && %s; echo $?; %s"
            .formatted(
                prepared,
                cluster.program("prolog"),
                cluster.program("task-prolog"),
                cluster.program("epilog"));
    assertEquals(
        "print outboard: no remote GPUs: job 999999 has no lease of remote GPUs\n1",
        cluster.says("sh", "-c", script));
  }

  @Test
  void thePageIsWalked(@TempDir Path user) throws Exception {
    assumeTrue(Program.isHere("mpicc") && Program.isHere("mpirun"), "Open MPI is not installed");
    assumeTrue(cluster.hasAccounts(), "Slurm's accounts are not installed");
    try {
      Walk.type(Home.PATH.resolve("docs/slurm.md"), user);
    } finally {
      SlurmCluster.stop(user.resolve("slurm-walk/cluster"));
    }
  }
}
