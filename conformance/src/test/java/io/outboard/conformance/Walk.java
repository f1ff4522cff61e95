// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The walk of a page, typed as it stands there from an empty home: it prints what the page says. A
 * block of the shell is a walk; commands that are not to be typed are indented.
 */
final class Walk {
  private static final String SHELL = "```sh\n";
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** What a page names of the sources, at whose root one types. */
  private static final List<String> SOURCES =
      List.of(
          "adapters",
          "cli",
          "client",
          "conformance",
          "cuda",
          "frontend",
          "offload",
          "offload-client",
          "offload-processor",
          "openstack");

  /** Commands, and what follows them on the page of what they print. */
  private static final Pattern STEP =
      Pattern.compile("(?s)```sh\\n(.*?)```\\n(?:\\n```text\\n(.*?)```\\n)?");

  private static final String MARK = "--- end of step ";

  /**
   * Some commands.
   *
   * @param shown lines of what they print, perhaps none
   */
  private record Step(String commands, List<String> shown) {}

  private Walk() {}

  /** Whether a page has one. */
  static boolean isOn(Path page) {
    try {
      return Files.readString(page).contains(SHELL);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Types that of a page in an empty home. */
  static void type(Path page, Path home) throws Exception {
    Launcher outboard = new Launcher(home);
    Files.createDirectories(home.resolve("examples"));
    Files.createSymbolicLink(home.resolve("examples/target"), Home.EXAMPLES);
    for (String name : SOURCES) {
      Files.createSymbolicLink(home.resolve(name), Home.PATH.resolve(name));
    }
    List<Step> steps = steps(atFreePorts(Files.readString(page)));
    Program.Ended ended = outboard.type(script(steps), LIMIT);
    String[] printed = ended.output().split(MARK + ".*\n", -1);
    assertEquals(steps.size() + 1, printed.length, ended::toString);
    for (int i = 0; i < steps.size(); i++) {
      check(steps.get(i), printed[i]);
    }
  }

  private static List<Step> steps(String page) {
    List<Step> steps = new ArrayList<>();
    Matcher step = STEP.matcher(page);
    while (step.find()) {
      String shown = step.group(2) == null ? "" : step.group(2);
      steps.add(new Step(step.group(1), shown.lines().toList()));
    }
    return steps;
  }

  /** Others may serve on this machine. */
  private static String atFreePorts(String page) {
    return page.replace("14901", Integer.toString(FreePort.next()))
        .replace("14902", Integer.toString(FreePort.next()))
        .replace("14903", Integer.toString(FreePort.next()));
  }

  private static String script(List<Step> steps) {
    return steps.stream()
        .map(step -> step.commands() + "echo '" + MARK + "'\n")
        .collect(Collectors.joining("", "exec 2>&1\n", ""));
  }

  private static void check(Step step, String printed) {
    List<String> lines = printed.lines().map(Walk::masked).toList();
    for (String shown : step.shown()) {
      Pattern wanted =
          Pattern.compile(
              Arrays.stream(masked(shown).split("…", -1))
                  .map(Pattern::quote)
                  .collect(Collectors.joining(".*")));
      assertTrue(
          lines.stream().anyMatch(line -> wanted.matcher(line).matches()),
          () -> step.commands() + "does not print\n" + shown + "\nbut\n" + printed);
    }
  }

  /** Numbers and names of leases are others each time; how wide a column is does not matter. */
  private static String masked(String line) {
    return line.replaceAll("\\b(?=\\p{Alpha}*\\d)\\p{XDigit}{12,}\\b", "#")
        .replaceAll("\\d+", "#")
        .replaceAll(" +", " ")
        .strip();
  }
}
