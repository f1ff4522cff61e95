// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.offload;

import io.outboard.cli.command.Failure;
import io.outboard.cli.command.ShellWords;
import io.outboard.cli.command.Version;
import io.outboard.cli.lease.Keeper;
import io.outboard.cli.lease.KeeperOptions;
import io.outboard.cli.lease.LeaseClient;
import io.outboard.cli.lease.LeaseOptions;
import io.outboard.cli.lease.Leasing;
import io.outboard.client.find.Backends;
import io.outboard.communicator.posix.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code outboard offload workers}. */
@Command(
    name = "workers",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Runs a program that shares its calls among workers, which end with it.",
      "The file that OUTBOARD_OFFLOAD_WORKERS names has a line for each: where it is, its token.",
      "The program reads it by Workers.of of the offloading client."
    })
public final class WorkersCommand implements Callable<Integer> {
  private static final String VARIABLE = "OUTBOARD_OFFLOAD_WORKERS";
  private static final int MOST = 1024;

  @Spec private CommandSpec spec;
  @Mixin private LeaseClient backend;
  @Mixin private LeaseOptions options;
  @Mixin private KeeperOptions keeping;
  @Mixin private SlurmOptions slurm;

  @ArgGroup(multiplicity = "1")
  private Count count;

  /** Where they are to be had, and how many. */
  static final class Count {
    @Option(
        names = "--leases",
        paramLabel = "N",
        description = {
          "So many leases of a backend or a pool, each as the options say: one is a worker at the",
          "backend that has it, which serves with --offload."
        })
    private int leases;

    @Option(
        names = "--slurm",
        paramLabel = "N",
        description = {
          "So many tasks of an array job of Slurm, each of which serves on its node, over TLS.",
          "Their nodes have Outboard."
        })
    private int tasks;
  }

  @Parameters(
      paramLabel = "-- PROGRAM [ARGUMENTS]",
      arity = "1..*",
      description = "What to run with them.")
  private final List<String> program = new ArrayList<>();

  @Override
  public Integer call() throws Failure {
    int wanted = count.leases + count.tasks;
    if (wanted < 1 || wanted > MOST) {
      throw new ParameterException(spec.commandLine(), "1 to " + MOST + " workers");
    }
    if (count.tasks == 0 ? slurm.isAsked() : slurm.settings() == null) {
      throw new ParameterException(
          spec.commandLine(),
          count.tasks == 0
              ? "--settings, --folder and --sbatch are for --slurm"
              : "--slurm wants --settings");
    }
    return keeping.beside(new Leasing(backend, spec), this::keep);
  }

  private void keep(Keeper keeper, Leasing leasing) throws Failure {
    try (Workforce workers = workers(leasing)) {
      Path file = named(workers.lines());
      try {
        keeper.handOver(
            List.of(
                ShellWords.exported(VARIABLE, file.toString()),
                "exec " + ShellWords.command(program)));
        keeper.await();
      } finally {
        Files.deleteIfExists(file);
        Files.deleteIfExists(file.getParent());
      }
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private Workforce workers(Leasing leasing) throws Failure {
    if (count.tasks == 0) {
      return LeasedWorkers.take(leasing, keeping, count.leases, options::form);
    }
    Path shared = slurm.folder(new Backends().stateFolder());
    SlurmArray array = SlurmArray.submit(count.tasks, slurm.settings(), shared, slurm.words());
    try {
      leasing.tell("job %s is to have %d workers".formatted(array.job(), count.tasks));
      array.await(keeping.patience());
      return array;
    } catch (Failure e) {
      array.close();
      throw e;
    }
  }

  /** Writes the file, which has tokens. */
  private static Path named(List<String> workers) throws IOException {
    Path file = Files.createTempDirectory("outboard-workers").resolve("workers");
    PrivateFiles.create(file, String.join("\n", workers) + "\n");
    return file;
  }
}
