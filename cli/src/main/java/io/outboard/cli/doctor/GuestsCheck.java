// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks at what a host has for virtual machines: an IOMMU for GPUs that are handed over whole,
 * nested virtualization, hyperthreading, and whether the virtual processors that run are pinned.
 */
final class GuestsCheck {
  private static final Pattern ANY = Pattern.compile(".+");
  private static final Pattern PROCESS = Pattern.compile("\\d+");

  /** As QEMU names its threads. */
  private static final Pattern VIRTUAL_PROCESSOR = Pattern.compile("CPU \\d+/(KVM|TCG)\\s*");

  private static final Pattern ALLOWED = Pattern.compile("(?m)^Cpus_allowed_list:\\s*(\\S+)");
  private static final List<String> KVM = List.of("kvm_intel", "kvm_amd");

  private final HostFiles files;
  private final List<Finding> findings = new ArrayList<>();

  GuestsCheck(HostFiles files) {
    this.files = files;
  }

  List<Finding> all() {
    if (!files.has("dev/kvm")) {
      findings.add(
          Finding.good(
              "no /dev/kvm: virtual machines run under emulation here, if at all (VT-x or AMD-V in"
                  + " the firmware, 'modprobe kvm_intel' or 'kvm_amd')"));
      return findings;
    }
    iommu();
    nested();
    hyperthreading();
    pinning();
    return findings;
  }

  private void iommu() {
    int groups = files.names("sys/kernel/iommu_groups", ANY).size();
    findings.add(
        groups > 0
            ? Finding.good("the IOMMU is on; groups: %d".formatted(groups))
            : Finding.doubtful(
                "the IOMMU is off, so that no GPU can be handed over to a guest whole: VT-d or"
                    + " AMD-Vi in the firmware, 'intel_iommu=on' or 'amd_iommu=on' for the kernel"));
  }

  private void nested() {
    Optional<String> module = KVM.stream().filter(name -> files.has(parameter(name))).findFirst();
    Optional<String> on = module.flatMap(name -> files.read(parameter(name))).map(String::strip);
    on.ifPresent(
        value ->
            findings.add(
                Finding.good(
                    value.equals("Y") || value.equals("1")
                        ? "nested virtualization is on"
                        : "nested virtualization is off: guests run no KVM of their own ('modprobe"
                            + " %s nested=1')".formatted(module.orElseThrow()))));
  }

  private static String parameter(String module) {
    return "sys/module/%s/parameters/nested".formatted(module);
  }

  private void hyperthreading() {
    files
        .number("sys/devices/system/cpu/smt/active")
        .ifPresent(
            active ->
                findings.add(
                    active == 0
                        ? Finding.good("hyperthreading is off")
                        : Finding.doubtful(
                            "hyperthreading is on: two virtual processors may share a core. Pin"
                                + " them in pairs, or 'echo off >"
                                + " /sys/devices/system/cpu/smt/control'")));
  }

  /** Of machines that run now. */
  private void pinning() {
    String online = files.read("sys/devices/system/cpu/online").map(String::strip).orElse("");
    List<String> threads = files.names("proc", PROCESS).stream().flatMap(this::threads).toList();
    if (threads.isEmpty()) {
      return;
    }
    List<String> loose =
        threads.stream().filter(thread -> allowed(thread).equals(online)).sorted().toList();
    findings.add(
        loose.isEmpty()
            ? Finding.good("pinned virtual processors: %d".formatted(threads.size()))
            : Finding.doubtful(
                "virtual processors that are not pinned: %d of %d (/%s); libvirt's <vcpupin>, or"
                        .formatted(loose.size(), threads.size(), loose.getFirst())
                    + " 'taskset -cp CPU THREAD'"));
  }

  private Stream<String> threads(String process) {
    String folder = "proc/" + process + "/task";
    return files.names(folder, PROCESS).stream()
        .map(thread -> folder + "/" + thread)
        .filter(
            thread ->
                files
                    .read(thread + "/comm")
                    .filter(VIRTUAL_PROCESSOR.asMatchPredicate())
                    .isPresent());
  }

  private String allowed(String thread) {
    Matcher line = ALLOWED.matcher(files.read(thread + "/status").orElse(""));
    return line.find() ? line.group(1) : "";
  }
}
