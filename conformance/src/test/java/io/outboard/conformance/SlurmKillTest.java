// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import io.outboard.patience.Patience;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
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
        JOBS.pool().kill();
        JOBS.pool().serve();
      }
    },
    CONTROLLER {
      @Override
      void restart() throws Exception {
        JOBS.cluster().restartController();
      }
    },
    NODE_DAEMON {
      @Override
      void restart() throws Exception {
        JOBS.cluster().restartNode(NODE);
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

  @RegisterExtension private static final JobsOfSlurm JOBS = new JobsOfSlurm();

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
    JOBS.endAll();
    JOBS.cluster().watch();
    JOBS.awaitNoLease();
    JOBS.pool().assertNothingIsCountedTwice();
    awaitNode();
    Patience.until(
        () -> "the next job has all GPUs" + JOBS.cluster().logs(), SlurmKillTest::hasAllGpus);
  }

  @Test
  void aJobThatExceedsItsTimeGivesItsGpusBack() throws Exception {
    String lease = leaseOf(JOBS.cluster().submit(LONG, GPU, "--time=1"));
    Patience.until(
        () -> "the lease ends" + JOBS.cluster().logs(),
        () -> JOBS.pool().state(lease).equals("released the job has ended"));
  }

  /** Neither an epilog nor the service that watches: nobody else can end it. */
  @Test
  void aLeaseThatNobodyWatchesEndsWithTheTimeOfItsJob() throws Exception {
    JOBS.pool().configure("grace = 5s\n");
    String lease = leaseOf(JOBS.cluster().submit(LONG, GPU, "--time=1"));
    JOBS.cluster().killController();
    try {
      Patience.until(
          () -> "the lease ends" + JOBS.cluster().logs(),
          () -> JOBS.pool().state(lease).startsWith("expired"));
    } finally {
      JOBS.cluster().startController();
      JOBS.pool().configure("");
    }
    JOBS.awaitNone();
  }

  /** A controller that is killed before takes its last job for one that runs. */
  private static void saveTheEndOfTheCaseBefore() throws Exception {
    String later = JOBS.cluster().submit("true", "--begin=now+3600");
    JOBS.cluster().awaitSaved(later);
    JOBS.cluster().says("scancel", later);
  }

  private static String leaseOf(String job) throws Exception {
    JOBS.cluster().await(job, "RUNNING");
    return JOBS.pool().lease(job).get("id").asText();
  }

  private static String submit(Step step) throws Exception {
    return JOBS.cluster().submit(LONG, GPU, "--nodelist=" + NODE, "--begin=" + step.begin);
  }

  private static void reach(Step step, String job) throws Exception {
    if (step == Step.RUNS || step == Step.ENDS) {
      JOBS.cluster().await(job, "RUNNING");
    }
    if (step == Step.ENDS) {
      JOBS.cluster().says("scancel", job);
    }
  }

  /**
   * A controller that is killed before it has saved a job gives the job's number once more, and a
   * node that has seen that job end refuses the number: the number after it is a new one.
   */
  private static boolean hasAllGpus() throws Exception {
    Program.Ended ended =
        JOBS.cluster().run("srun", "--licenses=rgpu:2", "--nodelist=" + NODE, SEE, "see");
    return ended.status() == 0 && ended.output().startsWith("2 devices");
  }

  /** A node whose daemon was killed while a job ended is not at once there for the next one. */
  private static void awaitNode() throws Exception {
    Patience.until(
        () -> "the node is idle" + JOBS.cluster().logs(),
        () ->
            JOBS.cluster()
                .run("sinfo", "--noheader", "--nodes=" + NODE, "--format=%t")
                .output()
                .strip()
                .equals("idle"));
  }
}
