// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The variables that are the driver's to honour: CUDA C++ Programming Guide, "CUDA Environment
 * Variables". The devices' PCI buses are 1, 2 and 3.
 */
final class VariablesTest {
  private static final String VISIBLE = "CUDA_VISIBLE_DEVICES";

  @RegisterExtension static final Backend BACKEND = new Backend("software:3");

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "\"0,1,2\"; 1 2 3",
        "2; 3",
        "\"2,0\"; 3 1",
        "\"1,7,0\"; 2",
        "\"1,1\"; cuInit: 100",
        "-1; cuInit: 100",
        "\"\"; cuInit: 100",
      },
      delimiter = ';')
  void devicesAreChosenAndOrdered(String value, String seen)
      throws IOException, InterruptedException {
    assertEquals(seen, output("devices", Map.of(VISIBLE, value)));
  }

  @Test
  void devicesAreChosenByIdentifier() throws IOException, InterruptedException {
    List<String> all = output("identifiers", Map.of()).lines().toList();
    assertEquals(3, all.size());
    assertEquals("2", output("devices", Map.of(VISIBLE, all.get(1))));
    assertEquals("3 1", output("devices", Map.of(VISIBLE, all.get(2) + "," + all.getFirst())));
    assertEquals("2", output("devices", Map.of(VISIBLE, all.get(1).substring(0, 12))));
  }

  @Test
  void orderedByPlace() throws IOException, InterruptedException {
    Map<String, String> byPlace = Map.of("CUDA_DEVICE_ORDER", "PCI_BUS_ID", VISIBLE, "2,1");
    assertEquals("3 2", output("devices", byPlace));
  }

  @Test
  void aLaunchWaitsForItsKernelWhereAsked() throws IOException, InterruptedException {
    assertEquals("0 719", output("launch", Map.of()));
    assertEquals("719 719", output("launch", Map.of("CUDA_LAUNCH_BLOCKING", "1")));
    assertEquals("0 719", output("launch", Map.of("CUDA_LAUNCH_BLOCKING", "0")));
  }

  private static String output(String what, Map<String, String> more)
      throws IOException, InterruptedException {
    Map<String, String> variables =
        new HashMap<>(BACKEND.variables(BACKEND.endpoints().getFirst()));
    variables.putAll(more);
    Program.Ended ended =
        Program.run(List.of(Home.PROGRAMS.resolve("variables").toString(), what), variables);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }
}
