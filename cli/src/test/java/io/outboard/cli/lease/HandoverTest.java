// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cli.command.Failure;
import io.outboard.lease.Form;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HandoverTest {
  private static Form gpu(String uuid, String pci) {
    return new Form()
        .with("uuid", uuid)
        .with("cdi", uuid)
        .with("pci", pci)
        .with("iommuGroup", "61")
        .with("neighbours", "0000:2a:00.1")
        .with("nodes", pci.isEmpty() ? "" : "/dev/nvidia3 /dev/nvidiactl");
  }

  @Test
  void sayWhatContainersAndMachinesNeed() {
    assertEquals(
        List.of(
            "docker       --gpus '\"device=GPU-a,GPU-b\"'",
            "CDI          --device nvidia.com/gpu=GPU-a --device nvidia.com/gpu=GPU-b",
            "environment  NVIDIA_VISIBLE_DEVICES=GPU-a,GPU-b",
            "devices      /dev/nvidia3 /dev/nvidiactl",
            "PCI          0000:2a:00.0, IOMMU group 61 with 0000:2a:00.1"),
        Handover.lines(List.of(gpu("GPU-a", "0000:2a:00.0"), gpu("GPU-b", ""))));
  }

  @Test
  void slicesAreForContainers() {
    Form slice =
        new Form()
            .with("uuid", "MIG-a")
            .with("profile", "1g.18gb")
            .with("cdi", "0:1")
            .with("nodes", "/dev/nvidia0 /dev/nvidia-caps/nvidia-cap66");
    assertEquals(
        List.of(
            "docker       --gpus '\"device=MIG-a\"'",
            "CDI          --device nvidia.com/gpu=0:1",
            "environment  NVIDIA_VISIBLE_DEVICES=MIG-a",
            "devices      /dev/nvidia-caps/nvidia-cap66 /dev/nvidia0"),
        Handover.lines(List.of(slice)));
    Failure refused = assertThrows(Failure.class, () -> Handover.hostDevice(slice));
    assertTrue(refused.getMessage().contains("slice"), refused::getMessage);
  }

  @Test
  void libvirtsXmlHasTheAddress() throws Failure {
    assertTrue(
        Handover.hostDevice(gpu("GPU-a", "0000:2a:00.1"))
            .contains("<address domain='0x0000' bus='0x2a' slot='0x00' function='0x1'/>"));
    assertThrows(Failure.class, () -> Handover.hostDevice(gpu("GPU-a", "")));
  }
}
