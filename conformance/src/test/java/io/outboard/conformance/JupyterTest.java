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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /** How long a lease outlives who cannot give it back, in seconds; three minutes for users. */
  private static final String LIFE = "12";

  @TempDir private static Path home;
  private static Launcher outboard;
  private static Process backend;
  private static Map<String, String> variables;

  @BeforeAll
  static void serve() throws Exception {
    if (!Program.isHere("python3")) {
      return;
    }
    outboard = new Launcher(home);
    backend =
        outboard.start(
            "serve",
            "--device=software:a100*2",
            "--require-lease",
            "--grace=0",
            "--api=http://127.0.0.1:0",
            "--state=" + home.resolve("state"));
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(backend.getInputStream(), UTF_8));
    String api = Launcher.awaitLine(lines, "api at ");
    Path packages = Wheels.unpack(Tarballs.wheel("1.2", home), home.resolve("packages"));
    variables = new HashMap<>();
    variables.put("OUTBOARD_API", api);
    variables.put(
        "OUTBOARD_API_TOKEN", says("token", "create", "--role=user", "--tenant=ada", "--for=1d"));
    variables.put("OUTBOARD_LEASE_SECONDS", LIFE);
    variables.put("PYTHONPATH", packages.toString());
    variables.put("PYTHONDONTWRITEBYTECODE", "1");
    variables.put("JUPYTER_PATH", home.resolve("kernels/share/jupyter").toString());
    for (String name : List.of("HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME")) {
      variables.put(name, home.toString());
    }
  }

  @AfterAll
  static void end() throws InterruptedException {
    if (backend != null) {
      backend.destroy();
      backend.waitFor();
    }
  }

  @BeforeEach
  void wantPython() {
    assumeTrue(backend != null, "no python3");
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (backend != null) {
      Patience.until("each lease ends", () -> leases() == 0);
    }
  }

  /** The output of a command, which succeeds. */
  private static String says(String... arguments) throws Exception {
    Program.Ended ended = outboard.run(arguments);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }

  private static int leases() throws Exception {
    return new ObjectMapper().readTree(says("leases", "--json")).size();
  }

  private static Program.Ended python(String... lines) throws Exception {
    return Program.run(List.of("python3", "-c", String.join("\n", lines)), variables);
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
    Program.setVariables(builder, variables);
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
    return new ObjectMapper().readTree(says("leases", "--json")).get(0).get("expires").asText();
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
      Program.setVariables(builder, variables);
      server = builder.redirectError(home.resolve("kernel.log").toFile()).start();
      answers = server.inputReader(UTF_8);
      commands = server.outputWriter(UTF_8);
      assertEquals("ready", answers.readLine());
    }

    private static Program.Ended run(String... command) throws Exception {
      return Program.run(List.of(command), variables);
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
