// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Python programs and kernels of a real Jupyter lease GPUs of a backend, out of the wheel. */
final class JupyterTest {
  private static final String COUNT =
      "import ctypes; cuda = ctypes.CDLL('libcuda.so.1'); n = ctypes.c_int(); cuda.cuInit(0);"
          + " cuda.cuDeviceGetCount(ctypes.byref(n)); print('GPUs:', n.value)";

  private static final int NOT_FOUND = 127;
  private static final int SIGNALLED = 128;
  private static final int SIGTERM = 15;

  @TempDir private static Path home;
  private static WheelPool pool;

  @BeforeAll
  static void serve() throws Exception {
    if (Program.isHere("python3")) {
      pool = new WheelPool(home);
      pool.variables().put("JUPYTER_PATH", home.resolve("kernels/share/jupyter").toString());
    }
  }

  @AfterAll
  static void end() {
    if (pool != null) {
      pool.close();
    }
  }

  @BeforeEach
  void wantPython() {
    assumeTrue(pool != null, "no python3");
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (pool != null) {
      Patience.until("each lease ends", () -> leases() == 0);
    }
  }

  private static int leases() throws Exception {
    return pool.leases().size();
  }

  private static Program.Ended python(String... lines) throws Exception {
    return Program.run(List.of("python3", "-c", String.join("\n", lines)), pool.variables());
  }

  @Test
  void aProgramLeasesForItselfAndForWhatItStarts() throws Exception {
    Program.Ended ended =
        python(
            "import outboard, subprocess",
            "print([device.free for device in outboard.devices()])",
            "with outboard.lease(gpus=1, memory='20GiB') as lease:",
            "    print(lease.memory >> 30, lease.gpus)",
            "    " + COUNT,
            "    subprocess.run([%s])".formatted(quoted(Home.VECTOR_ADD.toString())),
            "    print([device.free for device in outboard.devices()])");
    assertEquals(0, ended.status(), ended::toString);
    String passed = "vectorAdd: PASSED on NVIDIA A100-SXM4-80GB (software): 50000 elements\n";
    assertTrue(ended.output().startsWith("[1.0, 1.0]\n20 1\nGPUs: 1\n"), ended::toString);
    assertTrue(ended.output().contains(passed), ended::toString);
  }

  private static String quoted(String text) {
    return "'" + text + "'";
  }

  /** A command that leases and runs; the signals that end things are the program's. */
  @Test
  void aProgramHasTheLeaseOfItsCommand() throws Exception {
    Program.Ended ended = command("--gpus=2", "--", "python3", "-c", COUNT);
    assertEquals("GPUs: 2\n", ended.output(), ended::toString);
    assertEquals(0, leases());
    Program.Ended stopped = command("--", "sh", "-c", "kill -TERM $PPID; sleep 60");
    assertEquals(SIGNALLED + SIGTERM, stopped.status(), stopped::toString);
    assertEquals(NOT_FOUND, command("--", "nosuch").status());
  }

  private static Program.Ended command(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("python3", "-m", "outboard", "lease"));
    command.addAll(List.of(words));
    return Program.run(command, pool.variables());
  }

  @Test
  void whoIsTooLateIsTold() throws Exception {
    Program.Ended ended =
        python(
            "import outboard, ctypes",
            "with outboard.lease(): pass",
            "try: outboard.lease()",
            "except outboard.TooLate as late: print(late)",
            "for _ in range(2):",
            "    with outboard.lease(here=False) as other: print(sorted(other.variables())[0])",
            "try: outboard.lease(gpus=3, here=False)",
            "except outboard.ApiError as refusal: print(refusal.status)",
            "try: outboard.lease(gpus=2, memory='lots', here=False)",
            "except ValueError as wrong: print(wrong)");
    List<String> lines = ended.output().lines().toList();
    assertEquals(5, lines.size(), ended::toString);
    assertTrue(lines.get(0).contains("lease before the first use of the GPU"), ended::toString);
    assertEquals("LD_LIBRARY_PATH", lines.get(1));
    assertEquals("422", lines.get(3));
    assertEquals("'lots' is no amount of memory, as 20GiB", lines.get(4));
  }

  @Test
  void aLeaseIsKeptWhileItsProcessLivesAndEndsSoonAfterItIsKilled() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            "python3",
            "-c",
            "import outboard; outboard.lease(); print('leased', flush=True)\n"
                + "while True: input()");
    Program.setVariables(builder, pool.variables());
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      assertEquals("leased", lines.readLine());
      String first = expiry();
      Patience.until("the lease is renewed", () -> expiry().compareTo(first) > 0);
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertEquals(1, leases());
  }

  private static String expiry() throws Exception {
    return pool.leases().get(0).get("expires").asText();
  }

  @Test
  void aKernelHasItsLeaseUntilItEnds() throws Exception {
    try (Kernel kernel = new Kernel()) {
      assertEquals("GPUs: 1", kernel.ask("run " + COUNT));
      String shown = kernel.ask("run %gpu");
      assertTrue(shown.contains("1 x NVIDIA A100"), shown);
      assertTrue(shown.contains("memory 2.0 GiB each") && shown.contains(" s left"), shown);
      kernel.ask("kill");
      kernel.ask("restart");
      String lease = shown.substring(0, shown.indexOf(" is "));
      assertTrue(kernel.ask("run %gpu").startsWith(lease), "the same lease");
      kernel.ask("shutdown");
      assertEquals(0, leases());
    }
  }

  @Test
  void aKernelThatDiesOrWhoseServerIsKilledLeaksNothing() throws Exception {
    try (Kernel kernel = new Kernel()) {
      kernel.ask("kill");
      Patience.until("a dead kernel's lease ends", () -> leases() == 0);
    }
    try (Kernel kernel = new Kernel()) {
      assertEquals("GPUs: 1", kernel.ask("run " + COUNT));
      kernel.server.destroyForcibly().waitFor();
      Patience.until("a killed server's lease ends", () -> leases() == 0);
    }
  }

  /** A server with a kernel of this wheel's, which {@code jupyter outboard install} made. */
  private static final class Kernel implements AutoCloseable {
    /** Debian's packages are of the system's Python, which need not be the first of the path. */
    private static final List<String> PYTHONS = List.of("python3", "/usr/bin/python3");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process server;
    private final BufferedReader answers;
    private final Writer commands;

    Kernel() throws Exception {
      String python = python();
      Path prefix = home.resolve("kernels");
      Program.Ended made =
          run(python, "-m", "outboard.jupyter", "install", "--memory=2GiB", "--prefix=" + prefix);
      assertEquals(0, made.status(), made::toString);
      ProcessBuilder builder =
          new ProcessBuilder(
              python, Home.PATH.resolve("conformance/jupyter/kernel.py").toString(), "outboard");
      Program.setVariables(builder, pool.variables());
      server = builder.redirectError(home.resolve("kernel.log").toFile()).start();
      answers = server.inputReader(UTF_8);
      commands = server.outputWriter(UTF_8);
      assertEquals("ready", answers.readLine());
    }

    private static Program.Ended run(String... command) throws Exception {
      return Program.run(List.of(command), pool.variables());
    }

    private static String python() throws Exception {
      for (String python : PYTHONS) {
        if (run(python, "-c", "import jupyter_client, ipykernel").status() == 0) {
          return python;
        }
      }
      return Assumptions.abort("Jupyter is not installed");
    }

    String ask(String command) throws IOException {
      commands.write(command + "\n");
      commands.flush();
      return JSON.readTree(answers.readLine()).asText();
    }

    @Override
    public void close() throws IOException {
      commands.close();
      try {
        server.onExit().join();
      } finally {
        server.destroyForcibly();
      }
    }
  }
}
