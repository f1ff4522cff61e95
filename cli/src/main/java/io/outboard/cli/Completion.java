// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import io.outboard.cli.command.Version;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code outboard completion}. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Prints the completion script for bash and zsh.",
      "Try: source <(outboard completion)"
    })
final class Completion implements Callable<Integer> {
  /** Shells that can use the script. */
  enum Shell {
    bash,
    zsh
  }

  @Spec private CommandSpec spec;

  // One script is for both: it finds out which shell reads it.
  @SuppressWarnings("UnusedVariable")
  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      description =
          "${COMPLETION-CANDIDATES}: the script is the same, and there is none for others.")
  private Shell shell;

  @Override
  public Integer call() {
    spec.commandLine().getOut().print(AutoComplete.bash("outboard", Outboard.commandLine()));
    spec.commandLine().getOut().flush();
    return 0;
  }
}
