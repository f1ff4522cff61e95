// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.patience.Patience;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Runs a program to its end. */
final class Program {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Said on a machine that is slow just then; no test is about that. */
  private static final Pattern SLOWNESS =
      Pattern.compile(
          "(?m)^outboard: (?:.* has not answered for (?:two|ten) seconds: "
              + "|the program has touched memory at .* that kernels use, and waits ).*\\n");

  /**
   * The result of a program.
   *
   * @param status its exit status
   */
  record Ended(int status, String output, String errors) {
    /** All of it, for the message of an assertion. */
    @Override
    public String toString() {
      return "status %d: %s%s".formatted(status, errors, output);
    }
  }

  private Program() {}

  /**
   * Of a command of {@code run-guest} or {@code run-xen}, which ends its guest before the limit.
   */
  static Map<String, String> guestWithin(Duration limit) {
    long seconds = Patience.of(limit).minusSeconds(10).toSeconds();
    return Map.of("OUTBOARD_GUEST_SECONDS", Long.toString(seconds));
  }

  /** Whether this machine has one of a name. */
  static boolean isHere(String name) throws IOException, InterruptedException {
    return run(List.of("sh", "-c", "command -v \"$0\"", name), Map.of()).status() == 0;
  }

  /** Runs it with variables added to this process's; none of Outboard's own is passed on. */
  static Ended run(List<String> command, Map<String, String> variables)
      throws IOException, InterruptedException {
    return run(command, variables, LIMIT);
  }

  /** The same for one that may take longer on a quiet machine, or less. */
  static Ended run(List<String> command, Map<String, String> variables, Duration limit)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("output", ".txt");
    Path errors = Files.createTempFile("errors", ".txt");
    try {
      Process process = start(command, variables, output, errors);
      if (!process.waitFor(Patience.of(limit))) {
        process.destroyForcibly().waitFor();
        throw new AssertionError(
            command + " did not end: " + Files.readString(output) + Files.readString(errors));
      }
      return new Ended(process.exitValue(), Files.readString(output, UTF_8), said(errors));
    } finally {
      Files.delete(output);
      Files.delete(errors);
    }
  }

  /** A program's standard error up to now, without words about a machine that is slow. */
  static String said(Path errors) throws IOException {
    return SLOWNESS.matcher(Files.readString(errors)).replaceAll("");
  }

  /** Runs a case of one of the tests' programs, which is to print one line and nothing else. */
  static Ended prints(String line, String program, String what, Map<String, String> variables)
      throws IOException, InterruptedException {
    Ended ended = run(List.of(Home.PROGRAMS.resolve(program).toString(), what), variables);
    assertEquals(line, ended.output().strip(), () -> variables + ": " + ended);
    assertEquals(0, ended.status(), () -> variables + ": " + ended);
    return ended;
  }

  private static Process start(
      List<String> command, Map<String, String> variables, Path output, Path errors)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile());
    setVariables(builder, variables);
    return builder.start();
  }

  /**
   * Adds variables to this process's; none of Outboard's own is passed on. The host of the machine
   * that runs the tests is not asked for a backend.
   */
  static void setVariables(ProcessBuilder builder, Map<String, String> variables) {
    builder.environment().keySet().removeIf(name -> name.startsWith("OUTBOARD"));
    builder.environment().put("OUTBOARD_VSOCK", "0");
    builder.environment().putAll(variables);
  }
}
