// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.offer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.office.Device;
import io.outboard.office.Part;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FlavorTest {
  private static final String H200 = "NVIDIA H200 NVL";
  private static final String A100 = "NVIDIA A100-SXM4-80GB (software)";

  private static Device device(String model, String arch, long gib, boolean healthy, boolean used) {
    return new Device(model, arch, gib << 30, true, healthy, used);
  }

  private static Map<String, GpuModel> pool() {
    return GpuModel.of(
        List.of(
            device(H200, "hopper", 141, true, true),
            device(H200, "hopper", 141, true, false),
            device(H200, "hopper", 141, false, true),
            device(A100, "ampere", 80, true, false),
            new Device(A100, "ampere", 10L << 30, false, true, false)));
  }

  @Test
  void aModelIsWhatIsHealthyOfIt() {
    assertEquals(
        List.of(
            new GpuModel(A100, "ampere", 80L << 30, 1, 0),
            new GpuModel(H200, "hopper", 141L << 30, 2, 1)),
        List.copyOf(pool().values()));
  }

  @Test
  void aModelIsFoundByItsNameItsWordsAndItsGeneration() {
    assertEquals(
        Set.of("CUSTOM_GPU_NVIDIA_H200_NVL", "CUSTOM_GPU_H200", "CUSTOM_GPU_ARCH_HOPPER"),
        pool().get(H200).traits());
    assertTrue(pool().get(A100).traits().contains("CUSTOM_GPU_A100"));
    for (GpuModel model : pool().values()) {
      model.traits().forEach(one -> assertTrue(one.matches("CUSTOM_[A-Z0-9_]{1,248}"), one));
    }
  }

  @Test
  void itIsForTheSchedulerAndForPeople() {
    Map<String, String> specs = new Flavor("cg1.xlarge", 4, 1, 2, 2, 0, "h200").specs(pool());
    assertEquals("2", specs.get("resources:CUSTOM_REMOTE_GPU"));
    assertEquals("required", specs.get("trait:CUSTOM_GPU_H200"));
    assertEquals(H200, specs.get("Accelerator:Model"));
    assertEquals("2", specs.get("Accelerator:Number"));
    assertEquals(Integer.toString(141 << 10), specs.get("Accelerator:Memory"));
  }

  @Test
  void aPartOfAGpuIsItsMemory() {
    Map<String, String> specs = new Flavor("cg1.part", 4, 1, 2, 1, 35, "h200").specs(pool());
    assertEquals("35", specs.get("resources:CUSTOM_REMOTE_GPU_MEMORY_GB"));
    assertFalse(specs.containsKey("resources:CUSTOM_REMOTE_GPU"));
    assertEquals("1", specs.get("Accelerator:Number"));
    assertEquals(Integer.toString(35 << 10), specs.get("Accelerator:Memory"));
    for (long[] wrong : new long[][] {{1, 142}, {2, 35}}) {
      Flavor flavor = new Flavor("f", 1, 1, 1, wrong[0], wrong[1], "h200");
      assertThrows(IllegalArgumentException.class, () -> flavor.specs(pool()));
    }
    // As much of its time as of its memory.
    assertEquals(250, Part.of(H200, 35L << 30, 140L << 30).share());
    assertEquals(1000, Part.of(H200, 141L << 30, 141L << 30).share());
  }

  @Test
  void noMoreIsPromisedThanThereIs() {
    for (String model : List.of("h100", "", "nvl")) {
      Flavor flavor = new Flavor("f", 1, 1, 1, 1, 0, model);
      assertThrows(IllegalArgumentException.class, () -> flavor.specs(pool()), model);
    }
    Flavor three = new Flavor("f", 1, 1, 1, 3, 0, "h200");
    assertThrows(IllegalArgumentException.class, () -> three.specs(pool()));
  }

  @Test
  void itsCommandIsQuotedForAShell() {
    Flavor flavor = new Flavor("it's; rm", 1, 1, 1, 1, 0, "a100");
    String command = flavor.command(flavor.specs(pool()));
    assertTrue(command.endsWith("'it'\\''s; rm'"), command);
    assertTrue(command.contains("Accelerator:Model='" + A100 + "'"), command);
  }
}
