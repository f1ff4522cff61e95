// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import io.outboard.cli.command.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
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
  public static final class Docker extends Running {
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
  public static final class Podman extends Running {
    Podman() {
      super(Engine.PODMAN);
    }
  }

  /** An engine's {@code run}. */
  abstract static class Running extends Contained {
    @Parameters(
        paramLabel = "run [OPTIONS] IMAGE [COMMAND]",
        arity = "1..*",
        description = "As the engine has it.")
    private final List<String> words = new ArrayList<>();

    private final Engine engine;

    Running(Engine engine) {
      this.engine = engine;
    }

    @Override
    List<String> words() {
      return words;
    }

    @Override
    ContainerLine parse(List<String> line, boolean kept) throws Failure {
      return EngineRun.parse(engine, line, kept);
    }
  }

  /** {@code outboard apptainer}. */
  @Command(
      name = "apptainer",
      description = {
        "Runs a container of Apptainer on GPUs that are somewhere else.",
        "Takes a lease, has 'apptainer exec' or 'apptainer run' start the container with it, and gives",
        "it back when the container has ended: outboard apptainer exec IMAGE python train.py"
      })
  public static final class Apptainer extends Contained {
    @Parameters(
        paramLabel = "exec|run [OPTIONS] IMAGE [COMMAND]",
        arity = "1..*",
        description = "As Apptainer has it; --nv is left out.")
    private final List<String> words = new ArrayList<>();

    @Override
    List<String> words() {
      return words;
    }

    @Override
    ContainerLine parse(List<String> line, boolean kept) {
      return ApptainerLine.parse(line);
    }
  }

  /** {@code outboard lxc-execute}. */
  @Command(
      name = "lxc-execute",
      description = {
        "Runs a program in an LXC container on GPUs that are somewhere else.",
        "Takes a lease, has LXC's 'lxc-execute' start the program with it, and gives it back when the",
        "container has stopped: outboard lxc-execute -n NAME -f CONFIGURATION -- python train.py"
      })
  public static final class LxcExecute extends InLxc {
    LxcExecute() {
      super(Engine.LXC_EXECUTE);
    }
  }

  /** {@code outboard lxc-attach}. */
  @Command(
      name = "lxc-attach",
      description = {
        "Runs a program in an LXC container that runs, on GPUs that are somewhere else.",
        "Takes a lease, has LXC's 'lxc-attach' start the program with it, and gives it back when the",
        "program has ended: outboard lxc-attach -n NAME -- python train.py",
        "The container's configuration wants the lines that --print prints."
      })
  public static final class LxcAttach extends InLxc {
    LxcAttach() {
      super(Engine.LXC_ATTACH);
    }

    @Override
    List<String> preamble(Reach reach) {
      return Stream.concat(
              Stream.of("# In the container's configuration:"),
              LxcLine.mounts(reach).stream().map("#   "::concat))
          .toList();
    }
  }

  /** LXC's commands that start a program. */
  abstract static class InLxc extends Contained {
    @Parameters(paramLabel = "OPTIONS -- COMMAND", arity = "1..*", description = "As LXC has it.")
    private final List<String> words = new ArrayList<>();

    private final Engine engine;

    InLxc(Engine engine) {
      this.engine = engine;
    }

    /** LXC's words begin with options. */
    @Spec
    void setSpec(CommandSpec spec) {
      spec.parser().unmatchedOptionsArePositionalParams(true);
    }

    @Override
    List<String> words() {
      return words;
    }

    @Override
    ContainerLine parse(List<String> line, boolean kept) {
      return LxcLine.parse(engine, line);
    }
  }
}
