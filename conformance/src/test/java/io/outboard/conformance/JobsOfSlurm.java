// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.patience.Patience;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A cluster of Slurm and the backend whose GPUs its jobs lease, for the tests of one class. */
final class JobsOfSlurm implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  private Path home;
  private SlurmCluster cluster;
  private JobPool pool;

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    if (SlurmCluster.isHere()) {
      home = Folders.make("outboard-jobs");
      cluster = SlurmCluster.start();
      pool = new JobPool(home, cluster);
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    assumeTrue(cluster != null, "Slurm is not installed");
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    if (cluster != null) {
      cluster.end();
    }
    if (pool != null) {
      pool.close();
      Folders.remove(home);
    }
  }

  SlurmCluster cluster() {
    return cluster;
  }

  JobPool pool() {
    return pool;
  }

  /** Ends all jobs: a controller that was killed may take one that has ended for one that runs. */
  void endAll() throws Exception {
    cluster.says("sh", "-c", "squeue --noheader --format=%A | xargs -r scancel");
    awaitNone();
  }

  /** Waits until no job is left. */
  void awaitNone() throws Exception {
    Patience.until(
        () -> "no job is left" + cluster.logs(),
        () -> cluster.run("squeue", "--noheader").output().isBlank());
  }

  /** Waits until no lease of a job is left. */
  void awaitNoLease() throws Exception {
    Patience.until(() -> "no lease is left" + cluster.logs(), () -> pool.living() == 0);
  }
}
