// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.patience.Patience;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each service that a job of Slurm needs is killed at each step of the job, and starts again, or
 * does not: nothing is left, nothing is counted twice, and the next job has all GPUs.
 */
@Lengthy
final class SlurmKillTest {
  private static final String SEE = Home.PROGRAMS.resolve("lease").toString();
  private static final String NODE = "c1";
  private static final String LONG = "sleep 600";
  private static final String GPU = "--licenses=rgpu:1";

  /** A service that is killed. */
  private enum Service {
    BACKEND {
      @Override
      void restart() throws Exception {
        pool.kill();
        pool.serve();
      }
    },
    CONTROLLER {
      @Override
      void restart() throws Exception {
        cluster.restartController();
      }
    },
    NODE_DAEMON {
      @Override
      void restart() throws Exception {
        cluster.restartNode(NODE);
      }
    };

    abstract void restart() throws Exception;
  }

  /** The step that a job is at meanwhile. */
  private enum Step {
    WAITS("now+3600"),
    STARTS("now"),
    RUNS("now"),
    ENDS("now");

    private final String begin;

    Step(String begin) {
      this.begin = begin;
    }
  }

  @TempDir private static Path home;
  private static SlurmCluster cluster;
  private static JobPool pool;

  @BeforeAll
  static void startAll() throws Exception {
    if (SlurmCluster.isHere()) {
      cluster = SlurmCluster.start();
      pool = new JobPool(home, cluster);
    }
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

  private static Stream<Arguments> cases() {
    return Arrays.stream(Service.values())
        .flatMap(service -> Arrays.stream(Step.values()).map(step -> Arguments.of(service, step)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void nothingIsLeftOrCountedTwice(Service killed, Step step) throws Exception {
    saveTheEndOfTheCaseBefore();
    String job = submit(step);
    reach(step, job);
    killed.restart();
    // A controller that was killed may take a job that has ended for one that has not.
    cluster.says("sh", "-c", "squeue --noheader --format=%A | xargs -r scancel");
    awaitNoJob();
    cluster.watch();
    Patience.until(() -> "the lease ends" + cluster.logs(), () -> pool.living() == 0);
    pool.assertNothingIsCountedTwice();
    awaitNode();
    String seen = cluster.says("srun", "--licenses=rgpu:2", "--nodelist=" + NODE, SEE, "see");
    assertTrue(seen.startsWith("2 devices"), seen);
  }

  @Test
  void aJobThatExceedsItsTimeGivesItsGpusBack() throws Exception {
    String lease = leaseOf(cluster.submit(LONG, GPU, "--time=1"));
    Patience.until(
        () -> "the lease ends" + cluster.logs(),
        () -> pool.state(lease).equals("released the job has ended"));
  }

  /** Neither an epilog nor the service that watches: nobody else can end it. */
  @Test
  void aLeaseThatNobodyWatchesEndsWithTheTimeOfItsJob() throws Exception {
    pool.configure("grace = 5s\n");
    String lease = leaseOf(cluster.submit(LONG, GPU, "--time=1"));
    cluster.killController();
    try {
      Patience.until(
          () -> "the lease ends" + cluster.logs(), () -> pool.state(lease).startsWith("expired"));
    } finally {
      cluster.startController();
      pool.configure("");
    }
    awaitNoJob();
  }

  /** A controller that is killed before takes its last job for one that runs. */
  private static void saveTheEndOfTheCaseBefore() throws Exception {
    String later = cluster.submit("true", "--begin=now+3600");
    cluster.awaitSaved(later);
    cluster.says("scancel", later);
  }

  private static String leaseOf(String job) throws Exception {
    cluster.await(job, "RUNNING");
    return pool.lease(job).get("id").asText();
  }

  private static void awaitNoJob() throws Exception {
    Patience.until(
        () -> "the job ends" + cluster.logs(),
        () -> cluster.run("squeue", "--noheader").output().isBlank());
  }

  private static String submit(Step step) throws Exception {
    return cluster.submit(LONG, GPU, "--nodelist=" + NODE, "--begin=" + step.begin);
  }

  private static void reach(Step step, String job) throws Exception {
    if (step == Step.RUNS || step == Step.ENDS) {
      cluster.await(job, "RUNNING");
    }
    if (step == Step.ENDS) {
      cluster.says("scancel", job);
    }
  }

  /** A node whose daemon was killed while a job ended is not at once there for the next one. */
  private static void awaitNode() throws Exception {
    Patience.until(
        () -> "the node is idle" + cluster.logs(),
        () ->
            cluster
                .run("sinfo", "--noheader", "--nodes=" + NODE, "--format=%t")
                .output()
                .strip()
                .equals("idle"));
  }
}
