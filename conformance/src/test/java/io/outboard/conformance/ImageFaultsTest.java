// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.testkit.Amount;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Images that were damaged, from PTX text, a container that nvcc's tools made, and an ELF file:
 * each is an error that CUDA documents for images, or still good, and the session goes on.
 */
final class ImageFaultsTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  /**
   * Success, invalid image, no binary for the GPU, unsupported PTX version, invalid PTX, and a
   * symbol that is not found.
   */
  private static final Set<Integer> EXPECTED = Set.of(0, 200, 209, 218, 222, 302, 500);

  private static final int SEED = 20261121;

  @TempDir Path folder;

  @Test
  void text() throws Exception {
    damage(Home.PATH.resolve("ptx/src/test/resources/kernels/basic.ptx"), 100);
  }

  @Test
  void containers() throws Exception {
    Path container = folder.resolve("container");
    Files.write(container, container(Home.EXAMPLES.resolve("runtime-static/vectorAdd")));
    damage(container, 100);
  }

  @Test
  void elfFiles() throws Exception {
    damage(Home.PROGRAMS.resolve("wrong"), 50);
  }

  private static void damage(Path image, int count) throws IOException, InterruptedException {
    int times = Amount.of(count, 20 * count);
    for (String endpoint : List.of(BACKEND.endpoints().getFirst(), BACKEND.tcp())) {
      List<String> command =
          List.of(
              Home.PROGRAMS.resolve("images").toString(),
              image.toString(),
              Integer.toString(SEED),
              Integer.toString(times));
      Program.Ended ended = Program.run(command, BACKEND.variables(endpoint));
      assertEquals(0, ended.status(), ended::toString);
      Map<Integer, Integer> results = results(ended.output());
      assertTrue(EXPECTED.containsAll(results.keySet()), results::toString);
      assertEquals(times, results.values().stream().mapToInt(Integer::intValue).sum());
    }
  }

  private static Map<Integer, Integer> results(String output) {
    Map<Integer, Integer> results = new TreeMap<>();
    output
        .lines()
        .map(line -> line.split(" "))
        .forEach(line -> results.put(Integer.valueOf(line[0]), Integer.valueOf(line[1])));
    return results;
  }

  /** The first container in a program: 16 bytes of header, of which the last 8 are the length. */
  private static byte[] container(Path program) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(program)).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (bytes.getInt(at) != 0xba55ed50 || bytes.getInt(at + 4) != 0x100001) {
      at += 8;
    }
    byte[] container = new byte[16 + Math.toIntExact(bytes.getLong(at + 8))];
    bytes.get(at, container);
    return container;
  }
}
