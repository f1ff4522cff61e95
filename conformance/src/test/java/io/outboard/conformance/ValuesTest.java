// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * All attributes and limits on a software GPU that has an H200's figures are those of an H200,
 * natively: but for those of a list, which gives a reason for each.
 */
final class ValuesTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software:h200");

  private static final Path FOLDER = Home.PATH.resolve("conformance/answers");
  private static final Path RECORD = FOLDER.resolve("values-h200-580.159.04.txt");
  private static final Path LIST = FOLDER.resolve("values-software.txt");

  private static final String SESSION =
      "how a session keeps memory: numbers, sizes and owners of ranges are its own";

  /** Names of values, from the start, and why they differ; the first that fits. */
  private static final Map<String, String> REASONS = reasons();

  private static Map<String, String> reasons() {
    Map<String, String> reasons = new LinkedHashMap<>();
    reasons.put("device name", "it says that it is a software GPU");
    reasons.put("device memory", "of the host's memory");
    reasons.put("device pointer", SESSION);
    reasons.put("device ", "what the software GPU, or a session, has not or has in its own way");
    reasons.put("peer ", "the software GPU has no links");
    reasons.put("limit ", "the software GPU grows its stacks and buffers as it needs");
    reasons.put("function ", "machine code of another processor");
    reasons.put("kernel ", "machine code of another processor");
    reasons.put("blocks of threads", "of the registers that machine code takes");
    reasons.put("graph memory ", "the units in which memory is taken");
    reasons.put("pool ", "the units in which memory is taken");
    reasons.put("priorities", "one priority");
    reasons.put("stream ", "one priority, and no cache to keep data in");
    reasons.put("node ", "no cache to keep data in");
    reasons.put("range ", "memory of both sides lies with the program");
    return reasons;
  }

  private static String reason(String name) {
    return REASONS.entrySet().stream()
        .filter(entry -> name.startsWith(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(SESSION);
  }

  @Test
  void valuesAreThoseOfTheDevice() throws Exception {
    Map<String, String> device = read(Files.readAllLines(RECORD));
    Map<String, String> ours = run();
    assertTrue(device.size() > 400, () -> "few values: " + device.size());
    assertEquals(device.keySet(), ours.keySet());
    new ListedAnswers(LIST, (name, there, here) -> reason(name)).check(device, ours);
  }

  /** Numbers of ranges, and the host's memory, are others each time. */
  private static Map<String, String> read(List<String> lines) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String line : lines) {
      String[] parts = line.split(": ", 2);
      boolean counted = parts[0].endsWith("pointer 7") || parts[0].endsWith("pointer 20");
      if (parts.length == 2 && !line.startsWith("#") && !counted) {
        values.put(parts[0], parts[0].equals("device memory") ? "some" : parts[1]);
      }
    }
    return values;
  }

  private static Map<String, String> run() throws IOException, InterruptedException {
    Program.Ended ended =
        Program.run(
            List.of(
                Home.PROGRAMS.resolve("values").toString(),
                Home.LIBRARIES.resolve("libcuda.so.1").toString()),
            BACKEND.variables(BACKEND.endpoints().getFirst()));
    assertEquals(0, ended.status(), ended::toString);
    return read(ended.output().lines().toList());
  }
}
