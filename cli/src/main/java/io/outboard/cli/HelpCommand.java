// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code outboard help}; picocli's own has no suggestions and stops at the first word. */
@Command(
    name = HelpCommand.NAME,
    helpCommand = true,
    description = "Prints the help, of all or of one command.")
final class HelpCommand implements Callable<Integer> {
  static final String NAME = "help";

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "The command, as 'serve' or 'token create'.")
  private final List<String> words = new ArrayList<>();

  @Override
  public Integer call() {
    CommandLine command = spec.root().commandLine();
    for (String word : words) {
      CommandLine next = command.getSubcommands().get(word);
      if (next == null) {
        throw new UnmatchedArgumentException(command, List.of(word));
      }
      command = next;
    }
    command.usage(spec.commandLine().getOut());
    return CommandLine.ExitCode.OK;
  }
}
