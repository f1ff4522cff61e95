// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Large transfers of devices that say that they are GPUs with memory of their own: the area that
 * they pass through is page-locked for contexts. The host's library is one that has the machine's
 * device say so.
 */
@EnabledIf("isPossible")
final class PageLockedAreaTest {
  private static final Path HOST = Home.PROGRAMS.resolve("host");
  private static final String LOCKS = " outboardLockArea";

  @RegisterExtension
  static final Backend GPU = new Backend(temporary -> onHost("1", temporary), "opencl");

  @RegisterExtension
  static final Backend REFUSING = new Backend(temporary -> onHost("refusing", temporary), "opencl");

  static boolean isPossible() throws IOException, InterruptedException {
    return ContextErrorsTest.isPossible();
  }

  private static List<String> onHost(String gpu, Path temporary) {
    return Backend.fromSources(temporary, "LD_LIBRARY_PATH=" + HOST, "OPENCL_HOST_IS_GPU=" + gpu);
  }

  /** Of two contexts the places for parts, of a third those for whole transfers too. */
  @Test
  void itIsLockedForContextsThatUseItMuch(@TempDir Path folder) throws Exception {
    List<String> locks = locks(GPU, folder);
    assertEquals(4, locks.size(), locks::toString);
    assertTrue(locks.stream().allMatch(line -> line.endsWith(" = 0")), locks::toString);
  }

  @Test
  void whereItCannotBeAllGoesOn(@TempDir Path folder) throws Exception {
    List<String> locks = locks(REFUSING, folder);
    assertEquals(4, locks.size(), locks::toString);
    assertTrue(locks.stream().allMatch(line -> line.endsWith(" = -5")), locks::toString);
  }

  /** Nobody is told of an error that is not the program's. */
  @Test
  void whatCouldNotBeLockedIsNoErrorOfTheProgram() throws Exception {
    passes(REFUSING, Home.PROGRAMS.resolve("contextErrors"), Map.of());
  }

  @Test
  void otherTransfersAreRight() throws Exception {
    for (String name : List.of("transfers", "largeImages", "images", "sharedMemory")) {
      passes(GPU, Home.EXAMPLES.resolve("opencl").resolve(name), Map.of());
    }
  }

  /** Log lines of a program's calls that lock. */
  private static List<String> locks(Backend backend, Path folder) throws Exception {
    Path log = folder.resolve("log");
    Path program = Home.EXAMPLES.resolve("opencl/largeTransfers");
    passes(backend, program, Map.of("OUTBOARD_LOG", log.toString()));
    return Files.readAllLines(log).stream().filter(line -> line.contains(LOCKS)).toList();
  }

  private static void passes(Backend backend, Path program, Map<String, String> further)
      throws IOException, InterruptedException {
    Map<String, String> variables = new HashMap<>(backend.variables(backend.endpoints().get(0)));
    variables.put("LD_LIBRARY_PATH", Home.LIBRARIES.resolve("opencl").toString());
    variables.putAll(further);
    Program.Ended ended = Program.run(List.of(program.toString()), variables);
    assertTrue(ended.output().endsWith(": passed\n"), ended::toString);
    assertEquals(0, ended.status(), ended::toString);
  }
}
