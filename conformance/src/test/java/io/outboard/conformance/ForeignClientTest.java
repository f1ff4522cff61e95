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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client for AArch64, from Debian's cross compiler, and run by an emulator of the processor.
 */
@Lengthy
final class ForeignClientTest {
  private static final String ARCHITECTURE = "aarch64";
  private static final String COMPILER = "aarch64-linux-gnu-gcc";
  private static final String EMULATOR = "qemu-aarch64";
  private static final String SYSTEM = "/usr/aarch64-linux-gnu";

  @RegisterExtension static final Backend BACKEND = new Backend();

  @TempDir private static Path temporary;
  private static Path tarball;
  private static Path client;

  @BeforeAll
  static void make() throws IOException, InterruptedException {
    assumeTrue(Program.isHere(COMPILER), "no " + COMPILER + ": install gcc-aarch64-linux-gnu");
    tarball = Tarballs.foreignClient(ARCHITECTURE);
    client = Tarballs.unpack(tarball, temporary.resolve("unpacked"));
  }

  @Test
  void isForThatProcessorAndNeedsNothingNewerThanGlibc217() throws Exception {
    Binaries binaries = new Binaries(client, 8);
    binaries.areFor("AArch64");
    binaries.needNothingNewerThanGlibc217(Set.of());
    binaries.needNoOtherLibrary(Set.of("liboutboard.so"));
    assertTrue(Files.readString(client.resolve("README")).contains("Linux on AArch64"));
  }

  @Test
  void itsWheelIsForThatProcessorToo() throws Exception {
    Path wheel = Tarballs.foreignWheel("1.2", ARCHITECTURE, tarball, temporary);
    assertEquals(
        "outboard-1.2-py3-none-manylinux_2_17_aarch64.whl", wheel.getFileName().toString());
    Path unpacked = Wheels.unpack(wheel, temporary.resolve("wheel"));
    new Binaries(unpacked, 11).areFor("AArch64");
  }

  @Test
  void itsToolsStart() throws Exception {
    assumeEmulator();
    String socket = "unix:" + BACKEND.socket();
    Program.Ended where =
        emulate(Map.of("OUTBOARD", socket), client.resolve("bin/outboard-where"), "--check");
    assertEquals(new Program.Ended(0, socket + "\n", ""), where);
    Program.Ended connect = emulate(Map.of(), client.resolve("bin/outboard-connect"));
    assertTrue(connect.status() == 2 && connect.errors().contains("usage:"), connect::toString);
  }

  @Test
  void programsRunOverTheSocketAndOverTcp() throws Exception {
    assumeEmulator();
    Path program = vectorAdd();
    for (String uri : List.of("unix:" + BACKEND.socket(), BACKEND.tcp())) {
      Map<String, String> variables = new HashMap<>(BACKEND.variables(uri));
      variables.put("LD_LIBRARY_PATH", client.resolve("lib").toString());
      assertEquals(
          new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), emulate(variables, program), uri);
    }
  }

  private static void assumeEmulator() throws IOException, InterruptedException {
    assumeTrue(Program.isHere(EMULATOR), "no " + EMULATOR + ": install qemu-user");
  }

  private static Path vectorAdd() throws IOException, InterruptedException {
    Path program = temporary.resolve("vectorAdd");
    Program.Ended made =
        Program.run(
            List.of(
                COMPILER,
                "-std=gnu11",
                "-DKERNELS=\"" + Home.PATH.resolve("examples/cuda/kernels") + "\"",
                "-I" + Home.generated("cuda"),
                "-o",
                program.toString(),
                Home.PATH.resolve("examples/cuda/driver/vectorAdd.c").toString(),
                "-L" + client.resolve("lib"),
                "-lcuda",
                "-Wl,--allow-shlib-undefined"),
            Map.of());
    assertEquals(0, made.status(), made::toString);
    return program;
  }

  private static Program.Ended emulate(
      Map<String, String> variables, Path program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(EMULATOR, "-L", SYSTEM, program.toString()));
    command.addAll(List.of(arguments));
    return Program.run(command, variables);
  }
}
