// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.lease.Gpu;
import io.outboard.lease.store.StoreException;
import io.outboard.lease.testkit.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host's files, as NVIDIA's driver and the kernel write them. */
final class HostDevicesTest {
  @TempDir private Path root;

  private Path folder(String name) throws IOException {
    return Files.createDirectories(root.resolve(name));
  }

  private void gpu(String pci, String uuid, int minor) throws IOException {
    Files.writeString(
        folder("proc/driver/nvidia/gpus/" + pci).resolve("information"),
        """
        Model: \t\t NVIDIA H200
        IRQ:   \t\t 42
        GPU UUID: \t %s
        Bus Location: \t %s
        Device Minor: \t %d
        GPU Excluded:\t No
        """
            .formatted(uuid, pci, minor));
  }

  private void group(String number, String... devices) throws IOException {
    Path group = folder("sys/kernel/iommu_groups/" + number);
    for (String pci : devices) {
      Files.createSymbolicLink(folder("sys/bus/pci/devices/" + pci).resolve("iommu_group"), group);
      folder("sys/kernel/iommu_groups/" + number + "/devices/" + pci);
    }
  }

  @Test
  void aGpuIsFoundByItsUuid() throws IOException {
    gpu("0000:18:00.0", "GPU-one", 0);
    gpu("0000:2a:00.0", "GPU-two", 3);
    group("61", "0000:2a:00.0", "0000:2a:00.1");
    for (String node : List.of("nvidiactl", "nvidia-uvm")) {
      Files.createFile(folder("dev").resolve(node));
    }
    assertEquals(
        new HostDevice(
            "0000:2a:00.0",
            "61",
            List.of("0000:2a:00.1"),
            List.of("/dev/nvidia3", "/dev/nvidiactl", "/dev/nvidia-uvm")),
        find("GPU-two"));
    assertEquals("", find("GPU-one").group(), "no IOMMU");
  }

  @Test
  void whatTheDriverDoesNotKnowIsNowhere() throws IOException {
    assertEquals(HostDevice.NONE, find("GPU-one"));
    gpu("0000:18:00.0", "GPU-????????-????-????-????-????????????", 0);
    assertEquals(HostDevice.NONE, find("GPU-one"));
  }

  private void access(String instance, int minor) throws IOException {
    Files.writeString(
        folder("proc/driver/nvidia/capabilities/" + instance).resolve("access"),
        """
        DeviceFileMinor: %d
        DeviceFileMode: 292
        DeviceFileModify: 1
        """
            .formatted(minor));
  }

  @Test
  void aSliceHasTheFilesOfItsCapabilities() throws IOException {
    gpu("0000:18:00.0", "GPU-0", 4);
    group("61", "0000:18:00.0");
    access("gpu4/mig/gi7", 66);
    access("gpu4/mig/gi7/ci0", 67);
    HostDevice slice = new HostDevices(root).find(Sample.cut().getFirst());
    assertEquals("", slice.pci(), "it is on no bus");
    assertEquals(
        List.of("/dev/nvidia4", "/dev/nvidia-caps/nvidia-cap66", "/dev/nvidia-caps/nvidia-cap67"),
        slice.nodes());
    assertThrows(StoreException.class, () -> new HostDevices(root).find(Sample.cut().get(1)));
  }

  private HostDevice find(String uuid) {
    return new HostDevices(root).find(new Gpu(0, uuid, "NVIDIA H200", 1));
  }

  @Test
  void whatCannotBeReadIsAnError() throws IOException {
    folder("proc/driver/nvidia/gpus/0000:18:00.0");
    assertThrows(StoreException.class, () -> find("GPU-one"));
  }
}
