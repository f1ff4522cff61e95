// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The scripts that write the tables of frameworks and of HeCBench. */
final class TablesTest {
  private static final Path SCRIPTS = Home.PATH.resolve("conformance");

  /** In the place of a machine's own driver. */
  @RegisterExtension static final Backend REFERENCE = new Backend();

  @TempDir Path folder;

  @BeforeAll
  static void thereIsPython() throws IOException, InterruptedException {
    assumeTrue(Program.isHere("python3"), "no python3");
  }

  @Test
  void theirPartsDoWhatTheySay() throws IOException, InterruptedException {
    List<String> tests = List.of("python3", "-B", "-m", "unittest", "tables.tests");
    Program.Ended ended = Program.run(tests, Map.of("PYTHONPATH", SCRIPTS.toString()));
    assertEquals(0, ended.status(), ended::toString);
  }

  @Test
  void aProgramRunsInEachModeAndOneWhosePackageIsMissingIsNoPass()
      throws IOException, InterruptedException {
    String rows = table("frameworks", "--only='driver_calls/small*'", "--only='*/cuda_core'");
    assertTrue(rows.contains("| driver_calls/small_calls | passed | passed | passed |"), rows);
    assumeTrue(rows.contains("cuda_python/cuda_core | absent"), "cuda-python is installed");
    assertTrue(rows.contains("| cuda_python/cuda_core | absent | not run | not run |"), rows);
    assertTrue(rows.contains("not installed here: "), rows);
  }

  /** The checkout's Makefile has the arguments; a program of this build stands for one of it. */
  @Test
  void aProgramOfACheckoutIsBuiltAndRuns() throws IOException, InterruptedException {
    Path source = Files.createDirectories(folder.resolve("checkout/src/add-cuda"));
    Files.writeString(
        source.resolve("Makefile"),
        "program = main\nmain:\n\tcp %s main\nrun: main\n\t$(LAUNCHER) ./$(program)\n"
            .formatted(Home.VECTOR_ADD));
    Path other = Files.createDirectories(folder.resolve("checkout/src/blas-cuda"));
    Files.writeString(other.resolve("Makefile"), "LDFLAGS = -lcublas\n");
    String built = "--built=" + folder.resolve("built");
    String rows = table("hecbench", built, folder.resolve("checkout").toString());
    assertTrue(rows.contains("| add | passed | passed | passed |"), rows);
    assertTrue(!rows.contains("blas"), rows);
  }

  /** Returns the table that a script writes with a reference in the place of the native driver. */
  private String table(String name, String... further) throws IOException, InterruptedException {
    Path home = Files.createDirectories(folder.resolve("home"));
    Launcher launcher = new Launcher(home);
    Path out = folder.resolve("out");
    List<String> words = new ArrayList<>();
    words.add(SCRIPTS.resolve(name).resolve("run").toString());
    words.addAll(List.of("--device=software", "--once", "--out=" + out));
    words.add("--outboard=" + home.resolve("outboard"));
    words.add("--reference=" + REFERENCE.endpoints().get(1));
    words.addAll(List.of(further));
    Program.Ended ended = launcher.shell(String.join(" ", words));
    assertEquals(0, ended.status(), ended::toString);
    return Files.readString(out.resolve(name + ".md"));
  }
}
