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
import io.outboard.lease.Form;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The common part of the commands in front of a container engine's: the launcher starts it, and
 * becomes what it is told to become.
 */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "The image needs glibc 2.17 or newer and nothing of Outboard: the client is mounted at",
      "/opt/outboard, a backend's Unix socket at /run/outboard/outboard.sock. The lease ends three",
      "minutes after the process that holds it, if that is killed."
    })
abstract class Contained implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private LeaseClient backend;
  @Mixin private LeaseOptions options;
  @Mixin private KeeperOptions keeping;

  @Option(
      names = "--print",
      description = "Takes no lease and runs nothing: prints commands to copy.")
  private boolean print;

  /** The words behind this command's own. */
  abstract List<String> words();

  /**
   * Takes the words apart.
   *
   * @param kept whether it is run, and its container's end awaited
   * @throws IllegalArgumentException if a lease cannot be put in front of them
   */
  abstract ContainerLine parse(List<String> words, boolean kept) throws Failure;

  /** Lines for {@code --print} that come before the command. */
  List<String> preamble(Reach reach) {
    return List.of();
  }

  /** Whether help is asked for behind the engine's verb. */
  private static boolean wantsHelp(List<String> words) {
    return words.size() > 1 && words.get(1).equals("--help");
  }

  @Override
  public final Integer call() throws Failure {
    List<String> words = words();
    if (wantsHelp(words)) {
      spec.commandLine().usage(spec.commandLine().getOut());
      return 0;
    }
    try (ContainerLine line = parsed(words)) {
      return keeping.beside(
          new Leasing(backend, spec),
          (keeper, leasing) -> {
            line.prepare();
            if (print) {
              print(line);
            } else {
              keep(line, keeper, leasing);
            }
          });
    }
  }

  private ContainerLine parsed(List<String> words) throws Failure {
    try {
      return parse(words, !print);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
  }

  private void print(ContainerLine line) throws Failure {
    Reach reach = reach(line, backend.endpoint());
    PrintWriter out = spec.commandLine().getOut();
    preamble(reach).forEach(out::println);
    out.println("eval \"$(outboard lease --gpus " + request(line).number("gpus", 1) + ")\"");
    out.println(ShellWords.command(line.words(reach)));
    out.flush();
  }

  private void keep(ContainerLine line, Keeper keeper, Leasing leasing) throws Failure {
    try (HeldLease held = keeping.take(leasing, request(line))) {
      Reach reach = reach(line, leasing.place(held.row()));
      keeper.handOver(
          List.of(
              ShellWords.exported(line.tokenVariable(), held.row().token()),
              "exec " + ShellWords.command(line.words(reach))));
      if (line.detached()) {
        Keeper.forgetErrors();
      }
      keeper.await();
      line.await();
    }
  }

  private Form request(ContainerLine line) {
    Form form = options.form();
    line.gpus().ifPresent(count -> form.with("gpus", count));
    return form;
  }

  private Reach reach(ContainerLine line, String place) throws Failure {
    return Reach.of(Endpoint.parse(place), backend.environment(), line.hasHostsNetwork());
  }
}
