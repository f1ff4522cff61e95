// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.testkit.Amount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A checkout and a server's tarball work in a folder whose name means something to a shell, for a
 * user without {@code HOME}, who is not root, and who may write nothing there.
 */
final class AwkwardFolderTest {
  private static final String NAME = "a b'c$d";
  private static final String RUN = "run --device=software examples/target/driver/vectorAdd";
  private static final Set<String> CACHES = Set.of("command.aot", "embedded.aot", "worker.aot");

  /** Outputs of a build that the launcher needs beside the sources. */
  private static final List<String> BUILT =
      List.of(
          "cli/target/outboard-cli.jar",
          "cli/target/lib",
          "frontend/target/bin",
          "frontend/target/lib",
          "examples/target/driver",
          "cuda/target/classes/META-INF");

  @TempDir private static Path temporary;
  private static Path parent;
  private static Path checkout;

  @BeforeAll
  static void copyTheCheckout() throws Exception {
    assumeTrue(Tarballs.canMakeServer(), "no jar of the command: run the build's package phase");
    parent = Files.createDirectory(temporary.resolve("parent"));
    checkout = Files.createDirectory(parent.resolve(NAME));
    // Others may look, as in a home folder that is shared.
    shell("chmod 755 \"$1\"", temporary.toString());
    shell(
        "cd \"$1\" && tar -c --exclude=.git --exclude=./target --exclude='./*/target' . | tar -x -C"
            + " \"$2\"",
        Home.PATH.toString(),
        checkout.toString());
    for (String part : BUILT) {
      Path to = checkout.resolve(part);
      Files.createDirectories(to.getParent());
      shell("cp -a \"$1\" \"$2\"", Home.PATH.resolve(part).toString(), to.toString());
    }
    train();
    Files.createFile(checkout.resolve("target/built"));
  }

  /**
   * As the build's last step; that takes long, and in each build only for the tests' own cache,
   * which is good for copies of the same files.
   */
  private static void train() throws Exception {
    Path cache = Files.createDirectories(checkout.resolve("target")).resolve("cache");
    if (!Amount.isLong()) {
      shell("cp -a \"$1\" \"$2\"", StartUp.CACHE.toString(), cache.toString());
      return;
    }
    shell(
        "cd \"$1\" && sh cli/sh/train.sh \"$2\" \"$1/cli/target/outboard-cli.jar\""
            + " \"$1/frontend/target\" \"$1/examples/target/driver/histogram\" \"$3\"",
        checkout.toString(),
        Home.java(),
        cache.toString());
    assertEquals(CACHES, names(cache));
  }

  private static String shell(String line, String... arguments) throws Exception {
    List<String> command =
        Stream.concat(Stream.of("sh", "-ec", line, "sh"), Stream.of(arguments)).toList();
    Program.Ended ended = Program.run(command, Map.of());
    assertEquals(0, ended.status(), ended::toString);
    return ended.output();
  }

  private static Set<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  /** Runs a line that begins with the launcher, in the checkout, without {@code HOME}. */
  private static Program.Ended outboard(String line, String... before) throws Exception {
    return in(checkout, "env -u HOME -u XDG_RUNTIME_DIR ./outboard " + line, before);
  }

  private static Program.Ended in(Path folder, String line, String... before) throws Exception {
    Path files = Files.createDirectories(parent.resolve(NAME + " files"));
    shell("chmod 1777 \"$1\"", files.toString());
    List<String> shell = List.of("sh", "-c", "cd \"$1\" && exec " + line, "sh", folder.toString());
    return Program.run(
        Stream.concat(Stream.of(before), shell.stream()).toList(),
        Map.of("TMPDIR", files.toString(), "JAVA_HOME", System.getProperty("java.home")));
  }

  /** The beginning of a command that runs as another user; empty unless this one is root. */
  private static String[] nobody() throws Exception {
    if (!shell("id -u").strip().equals("0")) {
      return new String[0];
    }
    Program.Ended found = Program.run(List.of("sh", "-c", "command -v setpriv"), Map.of());
    assumeTrue(found.status() == 0, "no setpriv here (package util-linux)");
    return new String[] {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"};
  }

  @Test
  void theDemoEndsInSuccessAndWritesNowhereElse() throws Exception {
    Program.Ended demo = outboard("demo");
    assertEquals(0, demo.status(), demo::toString);
    assertTrue(demo.output().contains(Home.VECTOR_ADD_PASSED), demo::toString);
    assertTrue(demo.output().contains("the demo ended in success"), demo::toString);
    assertEquals(Set.of(NAME, NAME + " files"), names(parent));
  }

  @Test
  void theCachesAreUsed() throws Exception {
    Program.Ended version = outboard("version", "env", "JAVA_TOOL_OPTIONS=-Xlog:class+load");
    assertEquals(0, version.status(), version::toString);
    assertTrue(
        version.output().lines().anyMatch(AwkwardFolderTest::isOursOutOfTheCache),
        version::toString);
  }

  private static boolean isOursOutOfTheCache(String line) {
    return line.contains("io.outboard.cli.Outboard ") && line.contains("shared objects file");
  }

  @Test
  void theVariablesOfAShellKeepThePath() throws Exception {
    Program.Ended ended =
        Program.run(
            List.of(
                "bash",
                "-ec",
                "eval \"$(\"$1/outboard\" env --on unix:/it\\'s/there)\"; echo \"$OUTBOARD\";"
                    + " echo \"$LD_LIBRARY_PATH\"",
                "bash",
                checkout.toString()),
            Map.of("JAVA_HOME", System.getProperty("java.home"), "LD_LIBRARY_PATH", ""));
    String libraries = checkout.resolve("frontend/target/lib").toString();
    assertEquals(
        "unix:/it's/there\n" + libraries + ":" + libraries + "/opencl\n",
        ended.output(),
        ended::toString);
  }

  @Test
  void anotherUserRunsWhatWasBuilt() throws Exception {
    readOnly(
        () -> {
          Program.Ended run = outboard(RUN, nobody());
          assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), run);
        });
  }

  @Test
  void aUserWhoCannotBuildIsTold() throws Exception {
    Path built = checkout.resolve("target/built");
    Files.delete(built);
    try {
      readOnly(
          () -> {
            Program.Ended run = outboard(RUN, nobody());
            assertEquals(1, run.status(), run::toString);
            assertEquals(1, run.errors().lines().count(), run::toString);
            assertTrue(run.errors().contains("this user cannot write there"), run::toString);
          });
    } finally {
      Files.createFile(built);
    }
  }

  /** Something that runs while the checkout is for reading only. */
  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  private static void readOnly(Step step) throws Exception {
    shell("chmod -R a-w,a+rX \"$1\"", checkout.toString());
    try {
      step.run();
    } finally {
      shell("chmod -R u+w \"$1\"", checkout.toString());
    }
  }

  @Test
  void tooFewFilesAreSaidToBe() throws Exception {
    Program.Ended run = outboard(RUN, "sh", "-c", "ulimit -n 16; exec \"$@\"", "sh");
    assertEquals(1, run.status(), run::toString);
    assertEquals(1, run.errors().lines().count(), run::toString);
    assertTrue(run.errors().contains("16 open files here (ulimit -n)"), run::toString);
  }

  @Test
  void aFolderThatCannotBeNamedIsRefused() throws Exception {
    Path folder = Files.createDirectory(temporary.resolve("a:b"));
    shell(
        "cp -a \"$1/outboard\" \"$1/find-jdk.sh\" \"$2\" && mkdir \"$2/cli\" && cp -a \"$1/cli/sh\""
            + " \"$2/cli/\"",
        checkout.toString(),
        folder.toString());
    Program.Ended ended = in(folder, "./outboard version");
    assertEquals(1, ended.status(), ended::toString);
    assertTrue(ended.errors().contains("has a colon"), ended::toString);
  }

  @Test
  void theServersTarballRunsThere() throws Exception {
    serves(Tarballs.server(), Files.createDirectories(temporary.resolve("servers").resolve(NAME)));
  }

  /** Packing takes a minute. */
  @Test
  @Tag("long")
  void theServersTarballIsMadeThere() throws Exception {
    Path into = Files.createDirectories(temporary.resolve("made").resolve(NAME));
    Path tarball = into.resolve("server.tar.gz");
    shell(
        "cd \"$1\" && sh cli/sh/server.sh \"$1\" \"$2\" test \"$3\"",
        checkout.toString(),
        System.getProperty("java.home"),
        tarball.toString());
    serves(tarball, into);
  }

  private static void serves(Path tarball, Path into) throws Exception {
    Path server = Tarballs.unpack(tarball, into.resolve("unpacked"));
    assertEquals(CACHES, names(server.resolve("lib/cache")));
    Files.copy(Home.VECTOR_ADD, into.resolve("vectorAdd"));
    Program.Ended run =
        in(
            server,
            "env -u HOME -u JAVA_HOME bin/outboard run --device=software ../../vectorAdd",
            nobody());
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), run);
  }
}
