// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Python program whose lease a broker gives, on a node of its pool. */
final class WheelOverBrokerTest {
  private static final String COUNT =
      """
      import ctypes, outboard
      with outboard.lease(gpus=2) as lease:
          cuda, n = ctypes.CDLL("libcuda.so.1"), ctypes.c_int()
          cuda.cuInit(0)
          cuda.cuDeviceGetCount(ctypes.byref(n))
          print("GPUs:", n.value, flush=True)
          input()
          device = ctypes.c_int()
          print("still:", cuda.cuDeviceGet(ctypes.byref(device), 1), flush=True)
          input()
      """;

  @TempDir private Path home;
  private NodePool pool;

  @BeforeEach
  void startPool() throws Exception {
    assumeTrue(Program.isHere("python3"), "no python3");
    pool = new NodePool(home);
    pool.startBrokers(2);
    pool.join("n1", "software:2");
  }

  @AfterEach
  void endPool() throws Exception {
    if (pool != null) {
      pool.end();
    }
  }

  /** The program speaks to its node alone; the broker that is there at its end takes it back. */
  @Test
  void aProgramOutlivesTheBrokerThatGaveItItsLease() throws Exception {
    Map<String, String> variables = pool.webVariables();
    variables.put("OUTBOARD_API", pool.broker(0).api() + " " + pool.broker(1).api());
    Path packages = Wheels.unpack(Tarballs.wheel("1.2", home), home.resolve("packages"));
    variables.put("PYTHONPATH", packages.toString());
    ProcessBuilder builder = new ProcessBuilder("python3", "-c", COUNT);
    Program.setVariables(builder, variables);
    builder.redirectError(home.resolve("errors").toFile());
    Process program = builder.start();
    try (BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(program.getInputStream(), StandardCharsets.UTF_8));
        var commands = program.outputWriter(StandardCharsets.UTF_8)) {
      assertEquals("GPUs: 2", lines.readLine(), Program.said(home.resolve("errors")));
      pool.broker(0).kill();
      commands.write("\n");
      commands.flush();
      assertEquals("still: 0", lines.readLine());
      pool.broker(1).awaitLead();
      pool.lead(pool.broker(1));
      commands.write("\n");
    }
    Patience.exit(program);
    Patience.until("its GPUs are free", () -> pool.typed("leases").lines().count() == 1);
  }
}
