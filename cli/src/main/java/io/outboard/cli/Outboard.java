// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import io.outboard.backend.system.LogFormat;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Tools;
import io.outboard.cli.command.Version;
import io.outboard.cli.serve.ConfigFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command with its subcommands. */
@Command(
    name = "outboard",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Runs unmodified CUDA programs on a GPU that is somewhere else.",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:success",
      "1:failure; standard error says why",
      "2:wrong usage",
      "of run:the program's own"
    },
    footerHeading = "%nHow a backend is found, the first of:%n",
    footer = {
      "  --on URI; the variable OUTBOARD; the key 'backend' of outboard.properties in the working",
      "  folder, in ~/.config/outboard and in /etc/outboard; the user's socket",
      "  $XDG_RUNTIME_DIR/outboard/outboard.sock, or without a runtime folder",
      "  ~/.local/state/outboard/run/outboard.sock; /run/outboard/outboard.sock; in a virtual machine",
      "  with a token the host's vsock://2:14900; 'run' at last starts one of its own.",
      "A URI is unix:PATH, tls://[SHA256@]HOST[:PORT] (port 14901), tcp://HOST[:PORT] (port 14900),",
      "vsock://[CID][:PORT] (port 14900), virtio:NAME or ssh://[USER@]HOST."
    })
public final class Outboard implements Runnable {
  /** Columns of the help. */
  static final int WIDTH = 100;

  @Spec private CommandSpec spec;

  private Outboard() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  /** The parser of all commands, with errors as people expect them. */
  static CommandLine commandLine() {
    return commandLine(Commands.all());
  }

  private static CommandLine commandLine(List<Class<?>> commands) {
    CommandLine all = new CommandLine(new Outboard());
    commands.forEach(all::addSubcommand);
    Tools.example().ifPresent(program -> example(all, program));
    return all.setUsageHelpWidth(WIDTH)
        .setHelpFactory(FlowingHelp::new)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Outboard::misused)
        .setExecutionExceptionHandler(Outboard::failed);
  }

  /** A program that can be tried is named in the help. */
  private static void example(CommandLine all, Path program) {
    UsageMessageSpec usage = all.getCommandSpec().usageMessage();
    List<String> footer = new ArrayList<>(List.of(usage.footer()));
    footer.add("");
    footer.add("To try it: outboard run -- " + program);
    usage.footer(footer.toArray(String[]::new));
  }

  /** On a terminal with this program's name, in the journal, which has that, as an error. */
  private static void tell(CommandLine command, String error) {
    boolean journal = LogFormat.usual(System.getenv()) == LogFormat.JOURNAL;
    command.getErr().println((journal ? "<3>" : "outboard: ") + error);
  }

  private static int misused(ParameterException error, String[] arguments) {
    CommandLine command = error.getCommandLine();
    if (error instanceof UnmatchedArgumentException unknown) {
      tell(command, unmatched(unknown, command));
      suggest(unknown, command);
    } else {
      tell(command, error.getMessage());
    }
    command.getErr().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return CommandLine.ExitCode.USAGE;
  }

  /** Picocli's own words count the arguments. */
  private static String unmatched(UnmatchedArgumentException unknown, CommandLine command) {
    String first = unknown.getUnmatched().getFirst();
    String name = command.getCommandSpec().qualifiedName();
    if (unknown.isUnknownOption()) {
      return "'%s' has no option %s".formatted(name, first);
    }
    return command.getSubcommands().isEmpty()
        ? "'%s' takes no argument '%s' there".formatted(name, first)
        : "'%s' has no command '%s'".formatted(name, first);
  }

  /** Picocli finds what was meant, among the options or among the commands. */
  private static void suggest(UnmatchedArgumentException unknown, CommandLine command) {
    List<String> suggestions = unknown.getSuggestions();
    if (!suggestions.isEmpty()) {
      command.getErr().println("Did you mean: " + String.join(", ", suggestions) + "?");
    }
  }

  private static int failed(Exception error, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (error instanceof Failure) {
      tell(command, error.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
    throw error;
  }

  /**
   * Runs a command, with the options of a file where it takes these; its status, also where nobody
   * has what it printed.
   */
  static int execute(CommandLine all, String... arguments) {
    CommandLine named = arguments.length == 0 ? null : all.getSubcommands().get(arguments[0]);
    try {
      return all.execute(named == null ? arguments : ConfigFile.expand(named, arguments));
    } catch (ParameterException e) {
      return misused(e, arguments);
    } catch (StandardOutput.Lost e) {
      return e.status();
    }
  }

  /** Runs the command; ends with its status. */
  public static void main(String[] arguments) {
    LogFormat.last();
    StandardOutput.install();
    System.exit(execute(commandLine(Commands.meant(arguments)), arguments));
  }
}
