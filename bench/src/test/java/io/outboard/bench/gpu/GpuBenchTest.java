// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole command, with shell scripts in the places of Outboard and of the programs. */
class GpuBenchTest {
  private static final Map<String, String> SCRIPTS =
      Map.of(
          "outboard",
          """
          echo "$@" >"$0.arguments"
          for argument; do
            case $argument in
              --listen=*) echo "serving Fake GPU at ${argument#--listen=}" ;;
            esac
          done
          exec sleep 1000
          """,
          "outboard-run",
          """
          endpoint=$2
          while [ "$1" != -- ]; do shift; done
          shift
          COST=${endpoint%%:*} exec "$@"
          """,
          "micro",
          """
          case ${COST:-} in
            '') cost=10 ;;
            shm) cost=9 ;;
            *) cost=100 ;;
          esac
          echo "{\\"figure\\":\\"launch_wait_p50\\",\\"value\\":$cost}"
          """,
          "wrong",
          """
          [ "$1" = trap ] && echo 719 || echo "${COST:-1}"
          """);

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeScripts() throws IOException {
    for (Map.Entry<String, String> script : SCRIPTS.entrySet()) {
      Path file = folder.resolve(script.getKey());
      Files.writeString(file, "#!/bin/sh\n" + script.getValue());
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
    Files.writeString(folder.resolve("wrong.cases"), "trap\nbad-device\n");
    System.setProperty("outboard.launcher", folder.resolve("outboard").toString());
    System.setProperty("outboard.tools", folder.toString());
    System.setProperty("outboard.programs", folder.toString());
  }

  @AfterEach
  void clearProperties() {
    System.clearProperty("outboard.launcher");
    System.clearProperty("outboard.tools");
    System.clearProperty("outboard.programs");
  }

  private int run(String... arguments) {
    return new CommandLine(new GpuBench())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  void comparesEachMediumWithNative() throws IOException {
    Path json = folder.resolve("all.json");
    int status =
        run("--only=micro,wrong", "--media=shm,tcp", "--pairs=2", "--json=" + json, "--device=x");
    assertEquals(0, status, err::toString);
    String tables = out.toString();
    assertTrue(tables.startsWith("Fake GPU, "), tables);
    assertTrue(
        tables.contains(
            """
            | launch and synchronise, p50, µs | 10.0 | 9.00; 0.900× (0.900–0.900); met ≤ 10 | \
            100; 10.0× (10.0–10.0); **missed** ≤ 30 |
            """),
        tables);
    assertTrue(tables.contains("| trap | 719 | 719 | 719 |\n"), tables);
    assertTrue(tables.contains("| bad-device | 1 | **shm** | **tcp** |\n"), tables);
    assertTrue(Files.readString(folder.resolve("outboard.arguments")).contains("--device=x"));
    assertTrue(Files.exists(folder.resolve("all.json.log")));
    out.getBuffer().setLength(0);
    assertEquals(0, run("--from=" + json));
    assertEquals(tables, out.toString());
  }

  @Test
  void runsOnlyWhatIsAskedFor() {
    assertEquals(0, run("--only=wrong", "--media=unix"), err::toString);
    assertFalse(out.toString().contains("## Figures"), out::toString);
    assertTrue(out.toString().contains("| bad-device | 1 | **unix** |\n"), out::toString);
  }

  @Test
  void wrongUseIsRefused() {
    assertEquals(CommandLine.ExitCode.USAGE, run("--only=micros"));
    assertTrue(err.toString().contains("micros"), err::toString);
    assertEquals(CommandLine.ExitCode.USAGE, run("--pairs=0"));
    assertEquals(CommandLine.ExitCode.USAGE, run("--media=rdma"));
  }
}
