// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import io.outboard.cli.command.Failure;
import io.outboard.cli.command.ShellWords;
import io.outboard.cli.command.Version;
import io.outboard.cli.lease.HeldLease;
import io.outboard.cli.lease.Keeper;
import io.outboard.cli.lease.KeeperOptions;
import io.outboard.cli.lease.LeaseClient;
import io.outboard.cli.lease.LeaseOptions;
import io.outboard.cli.lease.Leasing;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.TokenFile;
import io.outboard.lease.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** One word in front of a container engine's command. */
public final class ContainerCommands {
  private ContainerCommands() {}

  /** {@code outboard docker}. */
  @Command(
      name = "docker",
      description = {
        "Runs a container on GPUs that are somewhere else.",
        "Takes a lease, has 'docker run' start the container with it, and gives it back when the",
        "container has ended.",
        "Docker's --gpus says how many: outboard docker run --rm --gpus 1 IMAGE python train.py"
      })
  public static final class Docker extends Contained {
    Docker() {
      super(Engine.DOCKER);
    }
  }

  /** {@code outboard podman}. */
  @Command(
      name = "podman",
      description = {
        "Runs a container on GPUs that are somewhere else.",
        "Takes a lease, has 'podman run' start the container with it, and gives it back when the",
        "container has ended.",
        "Podman's --gpus says how many: outboard podman run --rm --gpus 1 IMAGE python train.py"
      })
  public static final class Podman extends Contained {
    Podman() {
      super(Engine.PODMAN);
    }
  }

  /** The common part: the launcher starts it, and becomes what it is told to become. */
  @Command(
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      footer = {
        "",
        "The image needs glibc 2.17 or newer and nothing of Outboard: the client is mounted at",
        "/opt/outboard, a backend's Unix socket at /run/outboard/outboard.sock. The lease ends three",
        "minutes after the process that holds it, if that is killed."
      })
  abstract static class Contained implements Callable<Integer> {
    private static final String RUN = "run";

    @Spec private CommandSpec spec;
    @Mixin private LeaseClient backend;
    @Mixin private LeaseOptions options;
    @Mixin private KeeperOptions keeping;

    @Option(
        names = "--print",
        description = "Takes no lease and runs nothing: prints commands to copy.")
    private boolean print;

    @Parameters(
        paramLabel = "run [OPTIONS] IMAGE [COMMAND]",
        arity = "1..*",
        description = "As the engine has it.")
    private final List<String> words = new ArrayList<>();

    private final Engine engine;

    Contained(Engine engine) {
      this.engine = engine;
    }

    @Override
    public Integer call() throws Failure {
      if (words.size() > 1 && words.get(1).equals("--help")) {
        spec.commandLine().usage(spec.commandLine().getOut());
        return 0;
      }
      RunLine line = line();
      return keeping.beside(
          new Leasing(backend, spec),
          (keeper, leasing) -> {
            if (print) {
              print(line, started(line));
            } else {
              keep(line, started(line), keeper, leasing);
            }
          });
    }

    private List<String> started(RunLine line) throws Failure {
      Image image = line.rootFolder() ? Image.OF_FOLDER : Image.of(engine, line.image());
      return image.started(line);
    }

    private RunLine line() {
      if (!words.getFirst().equals(RUN)) {
        throw misused(
            "a lease can be put in front of '%1$s run' alone, not of '%1$s %2$s'"
                .formatted(engine.program(), words.getFirst()));
      }
      try {
        return RunLine.parse(engine, words.subList(1, words.size()));
      } catch (IllegalArgumentException e) {
        throw misused(e.getMessage());
      }
    }

    private ParameterException misused(String why) {
      return new ParameterException(spec.commandLine(), why);
    }

    private void print(RunLine line, List<String> started) throws Failure {
      Reach reach = reach(line, backend.endpoint());
      long gpus = request(line).number("gpus", 1);
      spec.commandLine().getOut().println("eval \"$(outboard lease --gpus " + gpus + ")\"");
      spec.commandLine()
          .getOut()
          .println(ShellWords.command(command(line, reach, started, List.of())));
      spec.commandLine().getOut().flush();
    }

    private void keep(RunLine line, List<String> started, Keeper keeper, Leasing leasing)
        throws Failure {
      try (IdFile id = IdFile.of(line);
          HeldLease held = keeping.take(leasing, request(line))) {
        Reach reach = reach(line, leasing.place(held.row()));
        keeper.handOver(
            List.of(
                ShellWords.exported(TokenFile.VARIABLE, held.row().token()),
                "exec " + ShellWords.command(command(line, reach, started, id.words()))));
        if (line.detached()) {
          Keeper.forgetErrors();
        }
        keeper.await();
        id.await(engine);
      }
    }

    private Form request(RunLine line) {
      Form form = options.form();
      line.gpus().ifPresent(count -> form.with("gpus", count));
      return form;
    }

    private static Reach reach(RunLine line, String place) throws Failure {
      return Reach.of(Endpoint.parse(place), System.getenv(), line.network().equals("host"));
    }

    /** A lease's token is no word of it, which all of the machine's users could read. */
    private List<String> command(RunLine line, Reach reach, List<String> started, List<String> id) {
      List<String> command = new ArrayList<>(List.of(engine.program(), RUN));
      command.addAll(id);
      reach
          .mounts()
          .forEach(
              (here, there) -> command.addAll(List.of("--volume", here + ":" + there + ":ro")));
      for (Map.Entry<String, String> variable : reach.variables().entrySet()) {
        command.addAll(List.of("--env", variable.getKey() + "=" + variable.getValue()));
      }
      command.addAll(List.of("--env", TokenFile.VARIABLE, "--entrypoint", Reach.STARTER));
      command.addAll(line.options());
      command.addAll(List.of(line.image(), "--"));
      command.addAll(started);
      return command;
    }
  }
}
