// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A folder as the repository's, with a class of tests, whose Maven is a script. */
final class FakeRoot {
  private static final int LOST_MINUTES = 2;

  /** A session of its own, as a backend's, that outlives what started it. */
  static final String BACKEND = "setsid sh -c 'echo $$ >%s; exec sleep 1000' &\n";

  private final Path folder;

  FakeRoot(Path folder, String maven) throws IOException {
    this.folder = folder;
    write("pom.xml", "<modules><module>some</module></modules>");
    write(".ci/optional", "# why\nclang is not installed: clang-19\n");
    write(".ci/skips", "a.SomeTest.known a reason\n");
    write(
        "some/src/test/java/a/SomeTest.java",
        """
        package a;

        final class SomeTest {
          @Test
          void right() {}

          @Test
          void wrong() {}
        }
        """);
    write("mvnw", "#!/bin/sh\n" + maven);
    if (!folder.resolve("mvnw").toFile().setExecutable(true)) {
      throw new IOException("nothing can be made executable in " + folder);
    }
  }

  /** Where a script's backend has left its number. */
  Path number() {
    return folder.resolve("number");
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** The line of a script that says that something happened. */
  static String happens(Event.Kind kind, String method, String text) {
    return "printf '%s' >>\"$TEST_RUN_EVENTS\"\n"
        .formatted(new Event(kind, "some", "a.SomeTest", method, "", 5, text).line());
  }

  /** Starts the command; a signal that its starter ignores is none that it ignores. */
  Process start(String variable, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("env", "--default-signal=INT,HUP,TERM", variable));
    command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(List.of(Main.class.getName(), folder.toString(), "0"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectInput(new File("/dev/null"))
        .redirectErrorStream(true)
        .start();
  }

  /** Runs it to its end; its status stands in the last line. */
  List<String> run(String variable, String... arguments) throws Exception {
    Process process = start(variable, arguments);
    List<String> lines = new ArrayList<>(process.inputReader().readAllLines());
    lines.add("status " + status(process));
    return lines;
  }

  /** The exit status of a process that is about to end. */
  static int status(Process process) throws InterruptedException {
    if (!process.waitFor(LOST_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("it does not end");
    }
    return process.exitValue();
  }
}
