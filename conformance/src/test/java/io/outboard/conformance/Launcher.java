// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The {@code outboard} command, of what was just built, for a user with a home of their own. */
final class Launcher {
  /** For how long a lease outlives a command that held it and was killed. */
  static final Duration LAPSE = Duration.ofMinutes(3);

  private static final Duration LEAVE = Duration.ofSeconds(10);

  private final Path home;
  private final Path script;
  private final Map<String, String> variables = new HashMap<>();
  private UnaryOperator<List<String>> place = UnaryOperator.identity();

  /**
   * Makes one.
   *
   * @param home an empty folder; also where files for a time go, so that what is left can be seen
   */
  Launcher(Path home) throws IOException {
    this.home = home;
    script = home.resolve("outboard");
    Script.write(script, text());
    Files.createDirectories(temporary());
    Files.createDirectories(runtime());
    set("HOME", home.toString());
    set("TMPDIR", temporary().toString());
    set("XDG_RUNTIME_DIR", runtime().toString());
    set("XDG_CONFIG_HOME", "");
  }

  private static String text() {
    return """
    #!/bin/sh
    set -eu
    program=$0 java='%s' tools='%s' libraries='%s' cache='%s'
    jar='%s'
    . '%s'
    worker_options() { cached worker lines %s; }
    outboard_command "$@"
    """
        .formatted(
            Home.java(),
            Home.TOOLS,
            Home.LIBRARIES,
            StartUp.CACHE,
            Home.COMMAND,
            Home.PATH.resolve("cli/sh/commands.sh"),
            String.join(" ", StartUp.ofShortSessions()));
  }

  /** Reads until a line begins with this, and returns the rest of that line. */
  String awaitLine(BufferedReader lines, String prefix) throws IOException {
    String line;
    do {
      line = lines.readLine();
      if (line == null) {
        throw new EOFException("no line begins with '" + prefix + "': " + errors());
      }
    } while (!line.startsWith(prefix));
    return line.substring(prefix.length());
  }

  /** The user's runtime folder. */
  Path runtime() {
    return home.resolve("run");
  }

  /** Where files for a time go. */
  Path temporary() {
    return home.resolve("tmp");
  }

  /** The user's own socket. */
  Path socket() {
    return runtime().resolve("outboard/outboard.sock");
  }

  /** Sets a variable of the commands that follow. */
  void set(String name, String value) {
    variables.put(name, value);
  }

  /** Has the commands that follow run elsewhere, as on a machine of a {@link SmallNetwork}. */
  Launcher at(UnaryOperator<List<String>> where) {
    place = where;
    return this;
  }

  /** Runs a command to its end. */
  Program.Ended run(String... arguments) throws IOException, InterruptedException {
    return Program.run(command(arguments), variables);
  }

  /** Runs what a user types into a shell, where {@code outboard} is the command. */
  Program.Ended shell(String line) throws IOException, InterruptedException {
    return Program.run(
        List.of("bash", "-c", "PATH='%s':$PATH; %s".formatted(home, line)), variables);
  }

  /** Runs what a user types into a shell, line by line, in that user's home. */
  Program.Ended type(String lines, Duration limit) throws IOException, InterruptedException {
    // All that it starts is of its process group, and ends with it.
    String most = Long.toString(Patience.of(limit).toSeconds());
    List<String> shell = List.of("timeout", most, "bash", "-c");
    String typed = "cd '%s'\n%s".formatted(home, lines);
    return Program.run(
        Stream.concat(shell.stream(), Stream.of(typed)).toList(), variables, limit.plus(LEAVE));
  }

  /** Starts a command, in a process group of its own, whose streams are pipes. */
  Process start(String... arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(Stream.concat(Stream.of("setsid"), command(arguments).stream()).toList())
            .directory(home.toFile())
            .redirectError(new File(home.toFile(), "errors"));
    Program.setVariables(builder, variables);
    return builder.start();
  }

  /** What {@link #start}ed commands wrote to standard error, but for words about slowness. */
  String errors() throws IOException {
    return Program.said(home.resolve("errors"));
  }

  private List<String> command(String... arguments) {
    return place.apply(Stream.concat(Stream.of(script.toString()), Stream.of(arguments)).toList());
  }
}
