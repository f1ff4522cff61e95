// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu;

import io.outboard.bench.gpu.run.Group;
import io.outboard.bench.gpu.run.Installation;
import io.outboard.bench.gpu.run.Pieces;
import io.outboard.bench.gpu.run.Results;
import io.outboard.bench.gpu.run.Rounds;
import io.outboard.bench.gpu.run.Way;
import io.outboard.bench.gpu.table.Tables;
import io.outboard.bench.measure.Backend;
import io.outboard.bench.measure.Machine;
import io.outboard.bench.measure.Medium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code outboard bench gpu}. */
@Command(
    name = "gpu",
    mixinStandardHelpOptions = true,
    description = {
      "Runs programs with this machine's driver and with Outboard in its place, in pairs, and prints",
      "the figures beside where they are to get, in Markdown. Progress goes to standard error."
    })
public final class GpuBench implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--only",
      paramLabel = "GROUP",
      split = ",",
      defaultValue = "micro,copies,programs,startup,torch,trips",
      description = {
        "What to run: micro, copies, programs, startup, torch, trips, shaped, fidelity, wrong,",
        "frameworks. Default: ${DEFAULT-VALUE}"
      })
  private List<Group> groups;

  @Option(
      names = "--media",
      paramLabel = "MEDIUM",
      split = ",",
      defaultValue = "shm,unix,tcp",
      description = "Over what: shm, unix, tcp, tls. Default: ${DEFAULT-VALUE}")
  private List<Medium> media;

  @Option(
      names = "--pairs",
      paramLabel = "N",
      defaultValue = "5",
      description = "Pairs of which a figure is the median. Default: ${DEFAULT-VALUE}")
  private int pairs;

  @Option(
      names = "--torch",
      paramLabel = "FIGURE",
      split = ",",
      defaultValue =
          "cuda_start,resnet_infer,resnet_train,gpt2_decode,gpt2_train,bert_infer,graph_replay,pinned_down,pinned_up",
      description = "Which figures of PyTorch. Default: all, which are ${DEFAULT-VALUE}")
  private List<String> torch;

  @Option(
      names = "--delay",
      paramLabel = "MS",
      split = ",",
      defaultValue = "0.2,1,30",
      description = "Round trips of the links of 'shaped', milliseconds. Default: ${DEFAULT-VALUE}")
  private List<Double> delays;

  @Option(
      names = "--rate",
      paramLabel = "MBIT",
      defaultValue = "10000",
      description = "Their rate, megabits a second; 0 for no limit. Default: ${DEFAULT-VALUE}")
  private double rate;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description =
          "Also writes every run to FILE, as they come, and what the backend says to FILE.log.")
  private Path json;

  @Option(
      names = "--from",
      paramLabel = "FILE",
      split = ",",
      description = "Measures nothing: prints the tables of such files together.")
  private final List<Path> from = new ArrayList<>();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "36000",
      description = "Ends after so long, with what is there then.")
  private int seconds;

  @Option(
      names = "--device",
      paramLabel = "SPEC",
      defaultValue = "auto",
      description = "What Outboard serves; see 'outboard serve'. Default: ${DEFAULT-VALUE}")
  private String device;

  @Option(
      names = "--peer",
      paramLabel = "FOLDER",
      description = {
        "Another system of this kind: FOLDER/serve PORT serves this machine's GPU on loopback,",
        "FOLDER/run PORT PROGRAM [ARGUMENT]... runs a program on it."
      })
  private Path peer;

  @Option(
      names = "--python",
      paramLabel = "PROGRAM",
      defaultValue = "python3",
      description = "The interpreter that has PyTorch. Default: ${DEFAULT-VALUE}")
  private String python;

  @Option(
      names = "--percent",
      paramLabel = "N",
      defaultValue = "100",
      description = "How often the C programs do what they measure; less for a software GPU.")
  private int percent;

  @Option(
      names = "--megabytes",
      paramLabel = "N",
      defaultValue = "256",
      description = "The size of large copies. Default: ${DEFAULT-VALUE}")
  private int megabytes;

  @Option(
      names = "--reference",
      paramLabel = "URI",
      hidden = true,
      description = "A backend that stands for the native driver.")
  private String reference;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    if (!from.isEmpty()) {
      print(Results.read(from));
      return 0;
    }
    Installation installation = Installation.ofThisProcess();
    try (Backend backend = Backend.start(List.of(installation.launcher().toString()), device)) {
      Results results = new Results(backend.devices() + driver() + ", " + Machine.current(), json);
      try {
        measure(installation, backend, results);
      } finally {
        print(results);
        keepLog(backend);
      }
    }
    return 0;
  }

  /** The version of the vendor's kernel driver, where there is one. */
  private static String driver() throws IOException {
    Path version = Path.of("/sys/module/nvidia/version");
    return Files.exists(version) ? ", driver " + Files.readString(version).strip() : "";
  }

  private void print(Results results) {
    spec.commandLine().getOut().print(new Tables(results).render());
    spec.commandLine().getOut().flush();
  }

  /** Keeps the backend's log beside the results: it may say why something failed. */
  private void keepLog(Backend backend) throws IOException {
    if (json != null) {
      Path log = json.resolveSibling(json.getFileName() + ".log");
      Files.copy(backend.log(), log, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void check() {
    if (Stream.of(pairs, percent, megabytes, seconds).anyMatch(number -> number < 1)) {
      throw new ParameterException(
          spec.commandLine(), "--pairs, --percent, --megabytes and --seconds are at least 1");
    }
  }

  private void measure(Installation installation, Backend backend, Results results)
      throws IOException, InterruptedException {
    Pieces pieces = new Pieces(installation, python, percent, megabytes, torch);
    Rounds rounds = new Rounds(results, pairs, Duration.ofSeconds(seconds), System.err);
    Routes routes = new Routes(installation, backend, reference);
    try (Opened opened = new Opened()) {
      List<Way> usual = new ArrayList<>(routes.over(media));
      if (peer != null) {
        usual.add(opened.add(Peer.start(peer)).way());
      }
      List<Way> shaped =
          groups.contains(Group.SHAPED) ? routes.over(delays, rate, opened) : List.of();
      for (Group group : groups) {
        rounds.run(group, pieces.of(group), group == Group.SHAPED ? shaped : usual);
      }
    }
  }
}
