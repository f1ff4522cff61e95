// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.lease.Form;
import io.outboard.testkit.Amount;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A lease binds OpenCL, on a host whose OpenCL devices are processors: {@code
 * conformance/c/opencl/leasedOpenCl.c} is its client.
 */
final class LeasedOpenClTest {
  @RegisterExtension static final Backend BACKEND = new Backend("auto");

  @RegisterExtension
  static final Backend ALONE = new Backend(LeasedOpenClTest::onHostWithUuid, "opencl");

  private static final Path HOST = Home.PROGRAMS.resolve("host");
  private static final String PROGRAM = Home.PROGRAMS.resolve("leasedOpenCl").toString();
  private static final String PASSED = "leasedOpenCl: PASSED\n";
  private static final long MEMORY = 64L << 20;
  private static final int SHARE = 100;
  private static final int ROUNDS = 25;

  /** PoCL of old tells none; sixteen characters are a device's. */
  private static final String UUID = "a device's UUID.";

  private final Leases leases = new Leases(BACKEND);

  /** Directly it has the device's memory, and is right to complain. */
  @BeforeAll
  static void assumeDevices() throws Exception {
    Program.Ended direct = Program.run(List.of(PROGRAM, "work"), Map.of());
    assumeTrue(direct.status() == 0, "this machine has no OpenCL device: " + direct.errors());
    assertEquals(1, Program.run(List.of(PROGRAM), Map.of()).status(), "nothing limits it");
  }

  private static List<String> onHostWithUuid(Path temporary) {
    return Backend.fromSources(temporary, "LD_LIBRARY_PATH=" + HOST, "OPENCL_HOST_UUID=" + UUID);
  }

  private Form lease() throws IOException {
    return lease(SHARE);
  }

  private Form lease(int share) throws IOException {
    return leases.request(new Form().with("share", share).with("memory", MEMORY));
  }

  private Program.Ended run(Form lease, String... arguments) throws Exception {
    return Program.run(
        Stream.concat(Stream.of(PROGRAM), Stream.of(arguments)).toList(), variables(lease));
  }

  private Map<String, String> variables(Form lease) throws IOException {
    Map<String, String> variables = leases.variables("unix:" + BACKEND.socket(), lease);
    variables.put("LD_LIBRARY_PATH", Home.LIBRARIES.resolve("opencl").toString());
    return variables;
  }

  @Test
  void memoryBeyondTheLeaseIsRefused() throws Exception {
    Form lease = lease();
    Program.Ended ended = run(lease);
    assertEquals(new Program.Ended(0, PASSED, ""), ended);
    leases.change("release", lease);
  }

  @Test
  void workIsInTheLedger() throws Exception {
    Form lease = lease();
    Program.Ended ended = run(lease, "work");
    assertEquals(new Program.Ended(0, PASSED, ""), ended);
    leases.change("release", lease);
    Form row = leases.usage(lease).getLast();
    assertTrue(row.number("busy", -1) > 0, row::toString);
  }

  /** A program of a lease that computes from when it is told to until it is told to end. */
  private final class Spinner implements AutoCloseable {
    private final Form lease;
    private final Process process;
    private final BufferedReader lines;

    Spinner(int share) throws IOException {
      lease = lease(share);
      ProcessBuilder builder = new ProcessBuilder(PROGRAM, "spin");
      Program.setVariables(builder, variables(lease));
      process = builder.start();
      lines = process.inputReader();
      assertEquals("ready", lines.readLine());
    }

    void go() throws IOException {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    }

    void rounds(int count) throws IOException {
      for (int i = 0; i < count; i++) {
        assertEquals("round", lines.readLine());
      }
    }

    void end() throws IOException {
      process.getOutputStream().close();
    }

    /** Milliseconds in which it had the device. */
    long busy() throws IOException {
      assertEquals(PASSED.strip(), lines.lines().reduce("", (_, line) -> line));
      leases.change("release", lease);
      return leases.usage(lease).getLast().number("busy", 0);
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  /**
   * Two programs that have work nearly always are charged side by side. The one with twice the
   * share has more of the time; how much more is a figure of a quiet machine, and so for the long
   * run. What {@code top}, the metrics and the information system read has both.
   */
  @Test
  void theDevicesTimeIsDividedByTheShares() throws Exception {
    try (Spinner small = new Spinner(SHARE);
        Spinner large = new Spinner(2 * SHARE)) {
      small.go();
      large.go();
      large.rounds(ROUNDS);
      Form device = leases.ask("devices", new Form()).getFirst();
      assertEquals(3 * SHARE, device.number("share", 0), device::toString);
      assertEquals(2 * MEMORY, device.number("leasedMemory", 0), device::toString);
      for (Spinner one : List.of(small, large)) {
        Form now = leases.find(one.lease);
        assertEquals("active 1", now.get("state") + " " + now.get("sessions"), now::toString);
      }
      small.end();
      large.end();
      long more = large.busy();
      long less = small.busy();
      assertTrue(less > 0 && more > 0, () -> less + " and " + more + " ms");
      if (Amount.isLong()) {
        double ratio = (double) more / less;
        assertTrue(ratio > 1.25 && ratio < 3.5, () -> "2 to 1 is " + ratio);
      }
    }
  }

  /** Nobody can put OpenCL's state aside: it is said, and the program goes on. */
  @Test
  void aSuspensionIsRefusedByTheLibrarysName() throws Exception {
    Form lease = lease();
    ProcessBuilder builder = new ProcessBuilder(Home.PROGRAMS.resolve("steadyOpenCl").toString());
    Program.setVariables(builder, variables(lease));
    Process process = builder.start();
    try (BufferedReader lines = process.inputReader()) {
      assertEquals("round", lines.readLine());
      AssertionError refused =
          assertThrows(AssertionError.class, () -> leases.change("suspend", lease));
      assertTrue(refused.getMessage().contains("the library opencl"), refused::getMessage);
      assertEquals("round", lines.readLine());
      process.getOutputStream().close();
      assertEquals("ok", lines.lines().reduce("", (_, line) -> line));
    } finally {
      process.destroyForcibly().waitFor();
    }
    leases.change("release", lease);
  }

  /**
   * Where CUDA serves nothing, OpenCL's devices are what leases are of, if they tell a UUID: the
   * host's library is one that tells one. What {@code top}, the metrics and the information system
   * read has the device and what is leased of it.
   */
  @Test
  void aDeviceOfOpenClIsLeased() throws Exception {
    assumeTrue(Files.exists(HOST.resolve("libOpenCL.so.1")), "the library could not be built");
    Leases others = new Leases(ALONE);
    Form lease = others.request(new Form().with("share", SHARE).with("memory", MEMORY));
    assertEquals("1", lease.get("gpus"), lease::toString);
    Form device = others.ask("devices", new Form()).getFirst();
    assertEquals(lease.get("model"), device.get("model"), device::toString);
    assertEquals(SHARE, device.number("share", 0), device::toString);
    assertEquals(MEMORY, device.number("leasedMemory", 0), device::toString);
    Map<String, String> variables = others.variables("unix:" + ALONE.socket(), lease);
    variables.put("LD_LIBRARY_PATH", Home.LIBRARIES.resolve("opencl").toString());
    assertEquals(new Program.Ended(0, PASSED, ""), Program.run(List.of(PROGRAM), variables));
    others.change("release", lease);
  }
}
