// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The Python wheel in an environment, which a real pip installs and removes. */
@Lengthy
final class PipTest {
  private static final int BY_SIGPIPE = 128 + 13;

  @RegisterExtension static final Backend BACKEND = new Backend();

  @TempDir private static Path temporary;
  private static Path environment;
  private static Path wheel;

  private Set<String> before;

  @BeforeAll
  static void makeEnvironment() throws IOException, InterruptedException {
    assumeTrue(Program.isHere("python3"), "no python3");
    environment = temporary.resolve("an environment");
    Program.Ended made =
        Program.run(List.of("python3", "-m", "venv", environment.toString()), Map.of());
    assumeTrue(made.status() == 0, () -> "no environment: install python3-venv: " + made);
    wheel = Tarballs.wheel("1.2-SNAPSHOT", temporary);
  }

  @BeforeEach
  void install() throws IOException, InterruptedException {
    before = files();
    pip("install", "--no-index", wheel.toString());
  }

  @AfterEach
  void uninstallingLeavesNothing() throws IOException, InterruptedException {
    pip("uninstall", "--yes", "outboard");
    assertEquals(before, files());
  }

  private static Set<String> files() throws IOException {
    Set<String> files = new TreeSet<>();
    try (Stream<Path> all = Files.walk(environment)) {
      all.map(Path::toString).filter(file -> !file.contains("__pycache__")).forEach(files::add);
    }
    return files;
  }

  private static String pip(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(bin("python"), "-m", "pip"));
    command.addAll(List.of(words));
    Program.Ended ended = Program.run(command, Map.of("PIP_DISABLE_PIP_VERSION_CHECK", "1"));
    assertEquals(0, ended.status(), ended::toString);
    return ended.output();
  }

  private static String bin(String program) {
    return environment.resolve("bin").resolve(program).toString();
  }

  private static Program.Ended run(String... command) throws IOException, InterruptedException {
    Map<String, String> variables = new HashMap<>(BACKEND.variables(""));
    variables.put("LD_LIBRARY_PATH", "");
    return Program.run(List.of(command), variables);
  }

  private static String socket() {
    return "unix:" + BACKEND.socket();
  }

  @Test
  void pipIsContentWithIt() throws IOException, InterruptedException {
    assertTrue(pip("check").contains("No broken requirements"));
    String files = pip("show", "--files", "outboard");
    for (String file : List.of("bin/outboard-run", "outboard/client/lib/libcuda.so.1")) {
      assertTrue(files.contains(file), files);
    }
  }

  @Test
  void programsRunOverTheSocketAndOverTcp() throws IOException, InterruptedException {
    Program.Ended passed = new Program.Ended(0, Home.VECTOR_ADD_PASSED, "");
    String program = Home.VECTOR_ADD.toString();
    for (String uri : List.of(socket(), BACKEND.tcp())) {
      assertEquals(passed, run(bin("outboard-run"), "--on", uri, "--", program));
    }
    String python = bin("python");
    assertEquals(passed, run(python, "-m", "outboard", "run", "--on", socket(), "--", program));
    assertEquals(passed, run(python, "-m", "outboard", "--on", socket(), program));
  }

  @Test
  void theBackendIsFound() throws IOException, InterruptedException {
    Program.Ended where = run("env", "OUTBOARD=" + socket(), bin("outboard-where"), "--check");
    assertEquals(new Program.Ended(0, socket() + "\nthe variable OUTBOARD\n", ""), where);
  }

  @Test
  void pythonIsThatOfTheEnvironmentAndFindsTheLibraryByBothNames()
      throws IOException, InterruptedException {
    String script =
        """
        import ctypes, sys
        numbered, plain = ctypes.CDLL("libcuda.so.1"), ctypes.CDLL("libcuda.so")
        address = lambda library: ctypes.cast(library.cuInit, ctypes.c_void_p).value
        print(sys.prefix, address(numbered) == address(plain), plain.cuInit(0))
        """;
    Program.Ended ended = run(bin("outboard-run"), "--on", socket(), "python", "-c", script);
    assertEquals(new Program.Ended(0, environment + " True 0\n", ""), ended);
  }

  @Test
  void statusAndSignalsAreThePrograms() throws IOException, InterruptedException {
    String line = "kill -PIPE $$; exit 7";
    assertEquals(BY_SIGPIPE, run(bin("outboard-run"), "--on", socket(), "sh", "-c", line).status());
    assertEquals(7, run(bin("outboard-run"), "--on", socket(), "sh", "-c", "exit 7").status());
  }

  @Test
  void anInstallerThatDropsModesDoesNoHarm() throws IOException, InterruptedException {
    Program.Ended dropped =
        run(
            "sh",
            "-c",
            "chmod -x \"$0\"/lib/python3*/site-packages/outboard/client/bin/*",
            environment.toString());
    assertEquals(0, dropped.status(), dropped::toString);
    Program.Ended where = run("env", "OUTBOARD=" + socket(), bin("outboard-run"), "/bin/true");
    assertEquals(new Program.Ended(0, "", ""), where);
  }
}
