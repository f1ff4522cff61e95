// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HostCheckTest {
  private static final String LIMITS =
      """
      Limit                     Soft Limit           Hard Limit           Units
      Max locked memory         %s            unlimited            bytes
      Max open files            %s                65536                files
      """;

  @TempDir private Path root;

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private List<String> lines() {
    return new HostCheck(root, Map.of()).all().stream().map(Finding::line).toList();
  }

  private boolean has(String begin, String part) {
    return lines().stream().anyMatch(line -> line.startsWith(begin) && line.contains(part));
  }

  private void makeGood() throws IOException {
    write(
        "proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build");
    for (String device : List.of("nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm")) {
      write("dev/" + device, "");
    }
    write("usr/lib/x86_64-linux-gnu/libcuda.so.1", "");
    write("run/nvidia-persistenced/socket", "");
    write("proc/self/limits", LIMITS.formatted("unlimited", "65536"));
    write("proc/sys/kernel/osrelease", "6.1.0-41-amd64\n");
    write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    write("proc/sys/vm/overcommit_memory", "0\n");
    write("proc/sys/vm/max_map_count", "65530\n");
  }

  @Test
  void aMachineAsItShouldBe() throws IOException {
    makeGood();
    assertTrue(lines().stream().allMatch(line -> line.startsWith("ok ")), lines()::toString);
    assertTrue(has("ok", "driver 580.95.05"), lines()::toString);
    assertTrue(has("ok", "nvidia0, nvidia1"), lines()::toString);
    assertTrue(has("ok", "'serve --mps' is not possible"), lines()::toString);
    write("usr/bin/nvidia-cuda-mps-control", "");
    assertTrue(has("ok", "'serve --mps' is possible"), lines()::toString);
  }

  private void makeHypervisor(String nested, String hyperthreading, String allowed)
      throws IOException {
    write("dev/kvm", "");
    write("sys/module/kvm_amd/parameters/nested", nested);
    write("sys/devices/system/cpu/smt/active", hyperthreading);
    write("sys/devices/system/cpu/online", "0-7\n");
    write("proc/42/task/42/comm", "qemu-system-x86\n");
    write("proc/42/task/42/status", "Cpus_allowed_list:\t0-7\n");
    write("proc/42/task/43/comm", "CPU 0/KVM\n");
    write("proc/42/task/43/status", "Name:\tCPU 0/KVM\nCpus_allowed_list:\t" + allowed + "\n");
  }

  @Test
  void aHostOfVirtualMachinesAsItShouldBe() throws IOException {
    makeGood();
    assertTrue(has("ok", "no /dev/kvm"), lines()::toString);
    makeHypervisor("1\n", "0\n", "3");
    Files.createDirectories(root.resolve("sys/kernel/iommu_groups/0"));
    assertTrue(lines().stream().allMatch(line -> line.startsWith("ok ")), lines()::toString);
    assertTrue(has("ok", "the IOMMU is on; groups: 1"), lines()::toString);
    assertTrue(has("ok", "nested virtualization is on"), lines()::toString);
    assertTrue(has("ok", "pinned virtual processors: 1"), lines()::toString);
  }

  @Test
  void whatGuestsLackIsSaid() throws IOException {
    makeGood();
    makeHypervisor("N\n", "1\n", "0-7");
    assertTrue(has("note", "the IOMMU is off"), lines()::toString);
    assertTrue(has("ok", "modprobe kvm_amd nested=1"), lines()::toString);
    assertTrue(has("note", "hyperthreading is on"), lines()::toString);
    assertTrue(has("note", "not pinned: 1 of 1 (/proc/42/task/43)"), lines()::toString);
  }

  @Test
  void aModuleOfAnotherVersionThanItsLibraryIsAFault() throws IOException {
    makeGood();
    write("usr/lib/x86_64-linux-gnu/libcuda.so.580.95.05", "");
    assertFalse(has("FAIL", ""), lines()::toString);
    Files.delete(root.resolve("usr/lib/x86_64-linux-gnu/libcuda.so.580.95.05"));
    write("usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04", "");
    assertTrue(has("FAIL", "the loaded module is 580.95.05, and libcuda.so.1 is 580.159.04"));
  }

  @Test
  void whatIsWrongComesWithARemedy() throws IOException {
    makeGood();
    write("proc/driver/nvidia/version", "NVRM version: Kernel Module  470.82.01  Sun");
    Files.delete(root.resolve("dev/nvidia-uvm"));
    Files.delete(root.resolve("usr/lib/x86_64-linux-gnu/libcuda.so.1"));
    Files.delete(root.resolve("run/nvidia-persistenced/socket"));
    write("tmp/nvidia-mps/control", "");
    write("proc/self/limits", LIMITS.formatted("8388608", "1024"));
    write("proc/sys/kernel/osrelease", "4.18.0-553.el8\n");
    write("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
    write("proc/sys/vm/overcommit_memory", "2\n");
    write("proc/sys/vm/max_map_count", "1000\n");
    assertTrue(has("note", "470.82.01; Outboard is tested with 580"), lines()::toString);
    assertTrue(has("FAIL", "/dev/nvidia-uvm: 'nvidia-modprobe"), lines()::toString);
    assertTrue(has("FAIL", "libcuda.so.1"), lines()::toString);
    assertTrue(has("note", "systemctl enable --now nvidia-persistenced"), lines()::toString);
    assertTrue(has("note", "MPS runs (/tmp/nvidia-mps)"), lines()::toString);
    assertTrue(has("note", "Max open files: 1024"), lines()::toString);
    assertTrue(has("note", "ulimit -l unlimited"), lines()::toString);
    assertTrue(has("FAIL", "Linux 5.3"), lines()::toString);
    assertTrue(has("note", "huge pages are off"), lines()::toString);
    assertTrue(has("FAIL", "vm.overcommit_memory"), lines()::toString);
    assertTrue(has("note", "vm.max_map_count is 1000"), lines()::toString);
  }

  /** The kernel's own files have no length, and some are read at once or not at all. */
  @Test
  void theKernelsNumbersAreReadWhole() throws IOException {
    String real = "/proc/sys/vm/max_map_count";
    try (Stream<String> lines = Files.lines(Path.of(real))) {
      long count = Long.parseLong(lines.findFirst().orElseThrow());
      assumeTrue(count >= 65_530, "there is something to say about " + count);
    }
    List<Finding> findings = new HostCheck(Path.of("/"), Map.of()).all();
    assertFalse(
        findings.stream().anyMatch(finding -> finding.line().contains("vm.max_map_count")),
        findings::toString);
  }

  @Test
  void withoutADriverOnlyTheLimitsMatter() throws IOException {
    makeGood();
    Files.delete(root.resolve("proc/driver/nvidia/version"));
    assertTrue(has("note", "serve --device software"), lines()::toString);
    assertEquals(0, lines().stream().filter(line -> line.startsWith("FAIL")).count());
  }
}
