// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The plug-in {@code examples/mpi/library}: programs of several ranks, whose MPI is that of the
 * backends' machine. The same program runs on the machine's own MPI, and prints the same.
 */
final class MpiTest {
  private static final Path EXAMPLE = Home.PATH.resolve("examples/mpi");
  private static final int MOST_LINES = 300;
  private static final Duration LOSS = Duration.ofSeconds(60);

  /** Tests run as root in containers, which mpirun wants to be told. */
  private static final Map<String, String> ROOT =
      Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");

  @TempDir private static Path shared;
  private static boolean hasMpi;
  private static Path plugins;
  private static Path ring;

  @TempDir private Path home;
  private Launcher outboard;

  @BeforeAll
  static void build() throws IOException, InterruptedException {
    hasMpi = findMpi();
    if (!hasMpi) {
      return;
    }
    Path sdk = Tarballs.unpack(Tarballs.sdk(), shared.resolve("sdk"));
    Path out = shared.resolve("mpi");
    run(
        List.of("make", "-C", EXAMPLE.resolve("library").toString(), "SDK=" + sdk, "OUT=" + out),
        Map.of("JAVA_HOME", System.getProperty("java.home")));
    plugins = out.resolve("plugins");
    ring = compile("ring", EXAMPLE.resolve("program/ring.c"));
  }

  private static boolean findMpi() throws IOException, InterruptedException {
    return Program.isHere("mpicc")
        && Program.isHere("mpirun")
        && Program.run(List.of("sh", "-c", "ldconfig -p | grep -q libmpi.so.40"), Map.of()).status()
            == 0;
  }

  private static Path compile(String name, Path source) throws IOException, InterruptedException {
    Path program = shared.resolve(name);
    run(
        List.of("mpicc", "-O2", "-Wall", "-Werror", "-o", program.toString(), source.toString()),
        Map.of());
    return program;
  }

  private static String run(List<String> command, Map<String, String> variables)
      throws IOException, InterruptedException {
    Program.Ended ended = Program.run(command, variables);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output();
  }

  @BeforeEach
  void makeHome() throws IOException {
    assumeTrue(hasMpi, "Open MPI is not installed");
    outboard = new Launcher(home);
    ROOT.forEach(outboard::set);
    outboard.set("OUTBOARD_PLUGINS", plugins.toString());
  }

  @ParameterizedTest
  @ValueSource(ints = 3)
  void ranksExchangeMessages(int ranks) throws Exception {
    String right = ranks + " ranks, 0 wrong\n";
    String own = "mpirun --oversubscribe -n %d %s".formatted(ranks, ring);
    assertEquals(right, run(List.of("sh", "-c", own), ROOT));
    Program.Ended ended = ranks(ranks, ring);
    assertEquals(0, ended.status(), ended::toString);
    assertEquals(right, ended.output(), ended::toString);
  }

  @Test
  void ofALostRankTheOthersHear() throws Exception {
    Program.Ended ended =
        ranks(2, program("if (rank == 1) { _exit(3); } MPI_Barrier(MPI_COMM_WORLD)"));
    assertNotEquals(0, ended.status(), ended::toString);
    assertTrue(ended.errors().contains("ends the program"), ended::toString);
    assertFalse(ended.output().contains("ended"), ended::toString);
  }

  @Test
  void errorsAreMpisOwn() throws Exception {
    for (var wrong :
        Map.of(
                "MPI_Bcast(&rank, -1, MPI_INT, 0, MPI_COMM_WORLD)", "MPI_Bcast: error 2 ",
                "MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD)", "MPI_Wait: error 6 ")
            .entrySet()) {
      Program.Ended ended = ranks(1, program(wrong.getKey()));
      assertEquals(1, ended.status(), ended::toString);
      assertTrue(ended.errors().contains(wrong.getValue()), () -> wrong + ": " + ended);
    }
  }

  private static boolean isCode(String line) {
    return !line.isBlank() && !line.strip().startsWith("/") && !line.strip().startsWith("*");
  }

  @Test
  void itTakesFewLines() throws IOException {
    long lines = 0;
    try (Stream<Path> files = Files.walk(EXAMPLE.resolve("library"))) {
      for (Path file :
          files
              .filter(Files::isRegularFile)
              .filter(file -> !file.startsWith(EXAMPLE.resolve("library/target")))
              .toList()) {
        lines += Files.readAllLines(file).stream().filter(MpiTest::isCode).count();
      }
    }
    assertTrue(lines > 100 && lines < MOST_LINES, lines + " lines");
  }

  /** A program that does something between its first and its last call, and says that it ended. */
  private Path program(String what) throws IOException, InterruptedException {
    Path source = home.resolve("program.c");
    Files.writeString(
        source,
        """
        #include <mpi.h>
        #include <stdio.h>
        #include <unistd.h>
        int main(int argc, char **argv) {
            int rank;
            MPI_Init(&argc, &argv);
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
            %s;
            MPI_Finalize();
            puts("ended");
        }
        """
            .formatted(what));
    return compile("program", source);
  }

  private Program.Ended ranks(int ranks, Path program) throws IOException, InterruptedException {
    return outboard.type(
        "%s %s %d %s".formatted(EXAMPLE.resolve("ranks"), home.resolve("outboard"), ranks, program),
        LOSS);
  }
}
