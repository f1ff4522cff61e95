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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of a real Slurm, on nodes without a GPU, have the two GPUs of a backend. */
final class SlurmTest {
  private static final String SEE = Home.PROGRAMS.resolve("lease").toString();
  private static final String LONG = "sleep 600";

  @RegisterExtension private static final JobsOfSlurm JOBS = new JobsOfSlurm();

  /** Whatever a test did: no job is left, and each lease has ended with its job. */
  @AfterEach
  void nothingIsLeft() throws Exception {
    if (JOBS.cluster() == null) {
      return;
    }
    JOBS.endAll();
    JOBS.awaitNoLease();
    assertEquals(List.of(), listed(JOBS.cluster().file("1", "c1").getParent()));
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
      assertTrue(JOBS.cluster().says("srun", option, SEE, "see").startsWith("2 devices"), option);
    }
    assertEquals(
        Home.VECTOR_ADD_PASSED.replace("Outboard Software GPU", "NVIDIA A100-SXM4-80GB (software)"),
        JOBS.cluster().says("srun", "--licenses=rgpu", Home.VECTOR_ADD.toString()) + "\n");
    String ranks =
        JOBS.cluster()
            .says(
                "srun",
                "--ntasks=2",
                "--licenses=rgpu:2",
                "sh",
                "-c",
                "CUDA_VISIBLE_DEVICES=$SLURM_PROCID exec " + SEE + " see");
    assertEquals(2, ranks.lines().filter(line -> line.startsWith("1 devices")).count(), ranks);
    assertEquals("none", JOBS.cluster().says("srun", "sh", "-c", "echo ${OUTBOARD:-none}"));
  }

  @Test
  void eachNodeOfAJobHasItsOwn() throws Exception {
    String program = "echo $SLURMD_NODENAME $CUDA_VISIBLE_DEVICES $(" + SEE + " see)";
    String seen = JOBS.cluster().says("srun", "--nodes=2", "--gres=rgpu:1", "sh", "-c", program);
    Set<String> lines = new TreeSet<>(seen.lines().toList());
    assertEquals(2, lines.size(), seen);
    assertTrue(lines.stream().allMatch(line -> line.matches("c. [01] 1 devices.*")), seen);
    assertEquals(2, lines.stream().map(line -> line.charAt(3)).distinct().count(), seen);
  }

  @Test
  void processesThatAJobLeavesHaveNoGpu(@TempDir Path folder) throws Exception {
    Path said = folder.resolve("said");
    String job =
        JOBS.cluster()
            .submit(
                "setsid -f %1$s work >%2$s; until [ -s %2$s ]; do sleep 0.2; done"
                    .formatted(SEE, said),
                "--licenses=rgpu:1");
    Patience.until(() -> "its call fails" + JOBS.cluster().logs(), () -> lines(said).size() == 2);
    assertEquals("working", lines(said).getFirst());
    assertNotEquals("0", lines(said).getLast());
    assertEquals(List.of("released"), statesOf(job));
  }

  private static List<String> statesOf(String job) throws Exception {
    return JOBS.pool().leases().stream()
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
        JOBS.cluster()
            .submit(
                "export -p | grep -e OUTBOARD -e LIBRARY >%1$s.new; mv %1$s.new %1$s; %2$s"
                    .formatted(variables, LONG),
                "--licenses=rgpu:1");
    Patience.until(
        () -> "the first job runs" + JOBS.cluster().logs(), () -> Files.exists(variables));
    Path said = folder.resolve("said");
    String unused = JOBS.cluster().submit(". %s; %s work >%s".formatted(variables, SEE, said));
    Patience.until(() -> "it works" + JOBS.cluster().logs(), () -> lines(said).size() == 1);
    JOBS.cluster().says("scancel", owner);
    Patience.until(
        () -> "its call fails: " + lines(said) + JOBS.cluster().logs(),
        () -> lines(said).size() == 2);
    JOBS.pool().assertNothingIsCountedTwice();
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
      Program.Ended ended = JOBS.cluster().run(command.toArray(String[]::new));
      assertEquals(1, ended.status(), ended::toString);
      assertTrue(ended.errors().contains(each.getKey()), ended::toString);
    }
  }

  @Test
  void nobodyElseReadsAJobsToken() throws Exception {
    assumeTrue(outboardUser().equals("root"), "root alone starts jobs of others");
    Program.Ended submitted =
        JOBS.cluster()
            .runAsNobody(
                "sbatch",
                "--parsable",
                "--output=/dev/null",
                "--chdir=/",
                "--licenses=rgpu:1",
                "--wrap=" + LONG);
    assertEquals(0, submitted.status(), submitted::toString);
    String job = submitted.output().strip();
    JOBS.cluster().await(job, "RUNNING");
    String secret = JOBS.pool().says("leases", "--token", id(JOBS.pool().lease(job)));
    Path file = JOBS.cluster().file(job, "c1");
    awaitTask();
    assertTrue(Files.readString(file).contains(secret));
    assertEquals("r--------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(0, JOBS.cluster().runAsNobody("cat", file.toString()).status());
    Program.Ended other =
        Program.run(
            List.of(
                "setpriv", "--reuid=65533", "--regid=65533", "--clear-groups", "cat", "" + file),
            Map.of());
    assertEquals(1, other.status(), "another user reads the token");
    assertTrue(!JOBS.cluster().says("scontrol", "--details", "show", "job", job).contains(secret));
    assertTrue(!processes().contains(secret), "the token is on a command line");
    assertTrue(!JOBS.cluster().logs().contains(secret), "the token is in a log");
    JOBS.cluster().says("scancel", job);
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
    String job = JOBS.cluster().submit(LONG + " & " + LONG, "--licenses=rgpu:2", "--time=10");
    JOBS.cluster().await(job, "RUNNING");
    String first = id(JOBS.pool().lease(job));
    JOBS.cluster().says("scontrol", "requeue", job);
    JOBS.cluster().await(job, "PENDING");
    Patience.until("the lease ends", () -> JOBS.pool().state(first).startsWith("released"));
    // Within the second of the requeue a node would take the new start for the old one.
    JOBS.cluster().says("scontrol", "update", "job", job, "StartTime=now+3");
    JOBS.cluster().await(job, "RUNNING");
    String second = id(JOBS.pool().lease(job));
    assertNotEquals(first, second);
    JOBS.cluster().says("scancel", job);
    Patience.until("the lease ends", () -> JOBS.pool().state(second).startsWith("released"));
    assertEquals("released the job has ended", JOBS.pool().state(second));
  }

  @Test
  void eachJobOfAnArrayHasItsOwn() throws Exception {
    String array = JOBS.cluster().submit(SEE + " see", "--licenses=rgpu:1", "--array=1-3");
    Patience.until(
        () -> "the array ends" + JOBS.cluster().logs(),
        () -> JOBS.cluster().run("squeue", "--noheader").output().isBlank());
    List<JsonNode> its =
        JOBS.pool().leases().stream()
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
    String job = JOBS.cluster().submit(LONG, "--licenses=rgpu:1", "--time=10");
    JOBS.cluster().await(job, "RUNNING");
    String lease = id(JOBS.pool().lease(job));
    awaitTask();
    JOBS.cluster().says("scontrol", "suspend", job);
    JOBS.cluster().watch();
    assertTrue(
        JOBS.pool().state(lease).startsWith("held the job is suspended"), JOBS.pool().state(lease));
    JOBS.cluster().says("scontrol", "resume", job);
    JOBS.cluster().watch();
    assertTrue(
        JOBS.pool().state(lease).matches("(granted|active|idle) .*"), JOBS.pool().state(lease));
    String before = JOBS.pool().lease(job).get("expires").asText();
    JOBS.cluster().says("scontrol", "update", "job", job, "TimeLimit=60");
    JOBS.cluster().watch();
    assertTrue(JOBS.pool().lease(job).get("expires").asText().compareTo(before) > 0, before);
  }

  @Test
  void aLeaseEndsThoughItsEpilogIsLost() throws Exception {
    String job = JOBS.cluster().submit(LONG, "--licenses=rgpu:1");
    JOBS.cluster().await(job, "RUNNING");
    String lost = id(JOBS.pool().lease(job));
    JOBS.pool().kill();
    JOBS.cluster().says("scancel", job);
    Patience.until(
        "the job ends", () -> JOBS.cluster().run("squeue", "--noheader").output().isBlank());
    JOBS.pool().serve();
    assertTrue(JobPool.isAlive(JOBS.pool().find(lost)), JOBS.pool().state(lost));
    JOBS.pool().configure("");
    JOBS.cluster().watch();
    assertTrue(JOBS.pool().state(lost).startsWith("released the job is "), JOBS.pool().state(lost));
  }

  @Test
  void aLeaseOutlivesItsControllerAndNotItsNode() throws Exception {
    String job = JOBS.cluster().submit(LONG, "--licenses=rgpu:1", "--no-requeue", "--nodelist=c3");
    JOBS.cluster().await(job, "RUNNING");
    String lease = id(JOBS.pool().lease(job));
    awaitTask();
    JOBS.cluster().replaceController(job);
    JOBS.cluster().watch();
    assertTrue(JobPool.isAlive(JOBS.pool().find(lease)), JOBS.pool().state(lease));
    JOBS.cluster().await(job, "RUNNING");
    JOBS.cluster().loseNode("c3", job);
    Patience.until("the node is missed", () -> JOBS.pool().state(lease).startsWith("released"));
    JOBS.cluster().startNode("c3");
  }

  @Test
  void licencesFollowWhatOthersUse() throws Exception {
    String others = JOBS.pool().says("lease", "--gpus=2", "--for=1h", "--tenant=vm", "--detach");
    Program.Ended refused = JOBS.cluster().run("srun", "--licenses=rgpu:1", "true");
    assertTrue(refused.errors().contains("PrologSlurmctld failed"), refused::toString);
    assertEquals(0, JOBS.pool().living(), "a request that nobody waits for");
    JOBS.pool().configure("reservation = outboard\n");
    JOBS.cluster().watch();
    String job = JOBS.cluster().submit("true", "--licenses=rgpu:1");
    Patience.until(
        "the job waits for licences",
        () ->
            JOBS.cluster().run("squeue", "--noheader", "--format=%r").output().contains("icense"));
    JOBS.pool().says("release", others);
    JOBS.cluster().watch();
    Patience.until(
        "job " + job, () -> JOBS.cluster().run("squeue", "--noheader").output().isBlank());
    JOBS.pool().configure("");
    JOBS.cluster().says("scontrol", "delete", "ReservationName=outboard");
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
                JOBS.cluster().program("prolog"),
                JOBS.cluster().program("task-prolog"),
                JOBS.cluster().program("epilog"));
    assertEquals(
        "print outboard: no remote GPUs: job 999999 has no lease of remote GPUs\n1",
        JOBS.cluster().says("sh", "-c", script));
  }

  @Test
  void thePageIsWalked(@TempDir Path user) throws Exception {
    assumeTrue(Program.isHere("mpicc") && Program.isHere("mpirun"), "Open MPI is not installed");
    assumeTrue(JOBS.cluster().hasAccounts(), "Slurm's accounts are not installed");
    try {
      Walk.type(Home.PATH.resolve("docs/slurm.md"), user);
    } finally {
      SlurmCluster.stop(user.resolve("slurm-walk/cluster"));
    }
  }
}
