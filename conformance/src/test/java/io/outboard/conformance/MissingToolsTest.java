// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the launcher of the sources says on a machine that lacks what it needs. */
final class MissingToolsTest {
  /** Programs that every Debian has. */
  private static final List<String> USUAL =
      List.of("sh", "dirname", "readlink", "id", "sed", "find", "mkdir", "date", "cat", "rm");

  @TempDir private Path folder;
  private Path programs;

  @BeforeEach
  void linkPrograms() throws Exception {
    programs = Files.createDirectory(folder.resolve("programs"));
    for (String name : USUAL) {
      link(name);
    }
  }

  private void link(String name) throws Exception {
    Path program = Path.of("/usr/bin", name);
    Files.createSymbolicLink(
        programs.resolve(name), Files.exists(program) ? program : Path.of("/bin", name));
  }

  /** A copy of the launcher alone: whatever it did would fail, and is not there. */
  private Path launcher() throws Exception {
    Path root = folder.resolve("root");
    for (String name :
        List.of("outboard", "find-jdk.sh", "cli/sh/commands.sh", "cli/sh/build.sh")) {
      Path copy = root.resolve(name);
      Files.createDirectories(copy.getParent());
      Files.copy(Home.PATH.resolve(name), copy);
    }
    return root.resolve("outboard");
  }

  private Program.Ended run(String command) throws Exception {
    return Program.run(
        List.of("sh", launcher().toString(), command),
        Map.of("PATH", programs.toString(), "JAVA_HOME", System.getProperty("java.home")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "test", "version"})
  void oneLineInstallsAll(String command) throws Exception {
    Program.Ended ended = run(command);
    assertEquals(1, ended.status(), ended::toString);
    assertEquals("", ended.output(), ended::toString);
    assertEquals(1, ended.errors().lines().count(), ended::toString);
    assertTrue(ended.errors().endsWith("apt-get install maven gcc make\n"), ended::toString);
  }

  @Test
  void whatIsThereIsNotNamed() throws Exception {
    for (String name : List.of("gcc", "make")) {
      link(name);
    }
    Program.Ended ended = run("demo");
    assertTrue(ended.errors().endsWith("apt-get install maven\n"), ended::toString);
  }

  @Test
  void aJdkIsNamedWithTheRest() throws Exception {
    Program.Ended ended =
        Program.run(
            List.of(
                "sh",
                "-euc",
                """
                root=$1
                . "$root/cli/sh/commands.sh"
                . "$root/cli/sh/build.sh"
                outboard_find_jdk() { return 1; }
                check_tools building
                """,
                "sh",
                Home.PATH.toString()),
            Map.of("PATH", programs.toString()));
    assertEquals(1, ended.errors().lines().count(), ended::toString);
    assertTrue(
        ended.errors().matches(".*apt-get install (temurin|openjdk)-25-jdk\\S* maven gcc make\n"),
        ended::toString);
  }
}
