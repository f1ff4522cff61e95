// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.plugin.Build;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The manual's page of the command, made of what {@code --help} says, for the macros of man(7). All
 * commands are on one page: {@code outboard-run(1)} is another program's.
 */
public final class ManPage {
  private static final Set<String> ON_EVERY_COMMAND = Set.of("--help", "--version");

  private final StringBuilder page = new StringBuilder();

  private ManPage() {}

  /** Prints it. */
  public static void main(String[] arguments) {
    new PrintStream(System.out, true, UTF_8).print(of(Outboard.commandLine()));
  }

  /** The page of a command with subcommands. */
  static String of(CommandLine command) {
    ManPage page = new ManPage();
    page.write(command);
    return page.page.toString();
  }

  private void write(CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    String name = command.getCommandName();
    String title = name.toUpperCase(Locale.ROOT);
    // Names of options and URIs stay whole.
    page.append(".TH %s 1 \"\" \"%s %s\"\n.nh\n.ad l\n".formatted(title, name, Build.VERSION));
    section("NAME");
    text(name + " - " + String.join(" ", usage.description()));
    section("SYNOPSIS");
    text(synopsis(command));
    section("DESCRIPTION");
    text("Each command has --help and --version too.");
    section("COMMANDS");
    command.getSubcommands().values().forEach(this::command);
    section("EXIT STATUS");
    usage.exitCodeList().forEach(this::item);
    section("BACKENDS");
    text(usage.footerHeading().replace("%n", ""));
    text(String.join(" ", usage.footer()));
  }

  private void command(CommandLine command) {
    page.append(".SS ").append(escaped(command.getCommandSpec().qualifiedName())).append('\n');
    text(synopsis(command));
    page.append(".PP\n");
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    text(String.join(" ", usage.description()));
    rows(command).forEach(this::item);
    if (usage.footer().length > 0) {
      page.append(".PP\n");
      text(String.join(" ", usage.footer()));
    }
    command.getSubcommands().values().forEach(this::command);
  }

  private static String synopsis(CommandLine command) {
    return command.getHelp().synopsis(0);
  }

  /** Parameters and options, each with its text. */
  private static Map<String, String> rows(CommandLine command) {
    CommandLine.Help help = command.getHelp();
    var labels = help.createDefaultParamLabelRenderer();
    var parameters = help.createDefaultParameterRenderer();
    var options = help.createDefaultOptionRenderer();
    Map<String, String> rows = new LinkedHashMap<>();
    for (var parameter : command.getCommandSpec().positionalParameters()) {
      put(rows, parameters.render(parameter, labels, help.colorScheme()));
    }
    for (var option : command.getCommandSpec().options()) {
      if (!option.hidden() && !ON_EVERY_COMMAND.contains(option.longestName())) {
        put(rows, options.render(option, labels, help.colorScheme()));
      }
    }
    return rows;
  }

  private static void put(Map<String, String> rows, Text[][] rendered) {
    Text[] first = rendered[0];
    StringBuilder name = new StringBuilder();
    for (Text column : List.of(first).subList(0, first.length - 1)) {
      name.append(column.plainString());
    }
    rows.put(name.toString().strip(), FlowingHelp.text(rendered));
  }

  private void section(String name) {
    page.append(".SH ").append(name).append('\n');
  }

  private void item(String name, String text) {
    page.append(".TP\n.B ").append(escaped(name)).append('\n');
    text(text);
  }

  private void text(String text) {
    page.append(escaped(text.strip().replaceAll("\\s+", " "))).append('\n');
  }

  /** At the start of a line a full stop and an apostrophe begin a macro. */
  private static String escaped(String text) {
    String safe = text.replace("\\", "\\e").replace("-", "\\-");
    return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
  }
}
