// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.offload;

import io.outboard.cli.command.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code outboard offload}. */
@Command(
    name = "offload",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Gets workers for Java programs whose methods run elsewhere.",
      "A backend runs such methods with 'serve --offload'. See docs/offload.md."
    },
    subcommands = WorkersCommand.class)
public final class OffloadCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "workers?");
  }
}
