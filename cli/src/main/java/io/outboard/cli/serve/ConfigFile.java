// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import static java.util.function.Predicate.not;

import io.outboard.cli.command.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Options out of a file, by the names that they have on the command line, without dashes: a line is
 * {@code name = value}, or {@code name} alone for what takes no value; a number sign begins a line
 * that is a comment. What is typed counts instead of the file's.
 */
public final class ConfigFile {
  /** The option that names the file. */
  public static final String OPTION = "--config";

  private static final String DASHES = "--";
  private static final Set<String> OF_THE_COMMAND_LINE =
      Set.of(OPTION, "--check-config", "--help", "--version");

  private final CommandLine command;
  private final Path file;
  private final Set<String> typed;
  private final Set<String> seen = new HashSet<>();

  private ConfigFile(CommandLine command, Path file, Set<String> typed) {
    this.command = command;
    this.file = file;
    this.typed = typed;
  }

  /**
   * Returns the arguments with the file's options among them, where they name a file.
   *
   * @param command that the first argument names
   * @throws ParameterException if the file cannot be read, or names what is no option
   */
  public static String[] expand(CommandLine command, String[] arguments) {
    Optional<Path> named = named(arguments);
    if (named.isEmpty() || command.getCommandSpec().findOption(OPTION) == null) {
      return arguments;
    }
    Set<String> typed =
        Arrays.stream(arguments).map(word -> word.split("=", 2)[0]).collect(Collectors.toSet());
    Stream<String> options = new ConfigFile(command, named.get(), typed).options().stream();
    return Stream.of(Stream.of(arguments[0]), options, Arrays.stream(arguments).skip(1))
        .flatMap(words -> words)
        .toArray(String[]::new);
  }

  private static Optional<Path> named(String[] arguments) {
    for (int i = 1; i < arguments.length; i++) {
      if (arguments[i].equals(OPTION) && i + 1 < arguments.length) {
        return Optional.of(Path.of(arguments[i + 1]));
      }
      if (arguments[i].startsWith(OPTION + "=")) {
        return Optional.of(Path.of(arguments[i].substring(OPTION.length() + 1)));
      }
    }
    return Optional.empty();
  }

  private List<String> options() {
    List<String> options = new ArrayList<>();
    List<String> lines = lines();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        option(line, i + 1).filter(not(this::isTyped)).ifPresent(options::add);
      }
    }
    return options;
  }

  private boolean isTyped(String option) {
    return typed.contains(option.split("=", 2)[0]);
  }

  private List<String> lines() {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new ParameterException(command, new Failure(e).getMessage(), e);
    }
  }

  /** A line as it would be typed; none if it says that a flag is not to be. */
  private Optional<String> option(String line, int number) {
    String[] parts = line.split("=", 2);
    String name = DASHES + parts[0].strip();
    OptionSpec option = known(name, number);
    if (!seen.add(name) && !option.isMultiValue()) {
      throw wrong(number, "'" + name.substring(DASHES.length()) + "' is there twice");
    }
    boolean flag = option.arity().max() == 0;
    String value = parts.length > 1 ? parts[1].strip() : "";
    if (flag) {
      return flag(value, number) ? Optional.of(name) : Optional.empty();
    }
    if (value.isEmpty()) {
      throw wrong(number, "'%s' wants a value".formatted(name.substring(DASHES.length())));
    }
    return Optional.of(name + "=" + value);
  }

  private boolean flag(String value, int number) {
    return switch (value) {
      case "", "true" -> true;
      case "false" -> false;
      default -> throw wrong(number, "true or false, not '" + value + "'");
    };
  }

  private OptionSpec known(String name, int number) {
    OptionSpec option = command.getCommandSpec().findOption(name);
    if (option != null && !OF_THE_COMMAND_LINE.contains(name)) {
      return option;
    }
    String meant =
        new UnmatchedArgumentException(command, List.of(name))
            .getSuggestions().stream()
                .filter(not(OF_THE_COMMAND_LINE::contains))
                .map(one -> one.substring(DASHES.length()))
                .collect(Collectors.joining(", "));
    String what = "there is no option '" + name.substring(DASHES.length()) + "' for a file";
    throw wrong(number, meant.isEmpty() ? what : what + "; did you mean: " + meant + "?");
  }

  private ParameterException wrong(int number, String what) {
    return new ParameterException(command, "%s, line %d: %s".formatted(file, number, what));
  }
}
