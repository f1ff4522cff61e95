// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.lease.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code outboard handover}. */
@Command(
    name = "handover",
    description = {
      "Prints what a container or a virtual machine needs that gets the GPUs of a lease.",
      "It is on the backend's host, and the lease was made with --mode device or mig. Printed are",
      "the names by which container runtimes know them, the files of devices, the addresses on the bus."
    })
public final class Handover extends LeaseCommands.Asking {
  /** Domain, bus, slot and function of an address. */
  private static final int PARTS = 4;

  @Parameters(paramLabel = "LEASE", description = "The id of the lease.")
  private String id;

  @Option(names = "--libvirt", description = "The GPUs as libvirt's XML, for 'attach-device'.")
  private boolean libvirt;

  @Override
  protected Answer answer() throws Failure {
    List<Form> gpus = backend().ask("handover", new Form().with("id", id));
    List<Map<String, Object>> objects = gpus.stream().map(Handover::object).toList();
    return Answer.of(objects, libvirt ? hostDevices(gpus) : lines(gpus));
  }

  private static List<String> hostDevices(List<Form> gpus) throws Failure {
    List<String> devices = new ArrayList<>();
    for (Form gpu : gpus) {
      devices.add(hostDevice(gpu));
    }
    return devices;
  }

  private static Map<String, Object> object(Form gpu) {
    return Ordered.of(
        "number", gpu.number("number", 0),
        "uuid", gpu.get("uuid"),
        "model", gpu.get("model"),
        "profile", gpu.get("profile"),
        "cdi", gpu.get("cdi"),
        "pci", gpu.get("pci"),
        "iommuGroup", gpu.get("iommuGroup"),
        "neighbours", gpu.words("neighbours"),
        "nodes", gpu.words("nodes"));
  }

  static List<String> lines(List<Form> gpus) {
    List<String> uuids = gpus.stream().map(gpu -> gpu.get("uuid")).toList();
    String all = String.join(",", uuids);
    List<String> lines = new ArrayList<>();
    lines.add(line("docker", "--gpus '\"device=" + all + "\"'"));
    String device = "--device nvidia.com/gpu=";
    List<String> names = gpus.stream().map(gpu -> device + gpu.get("cdi")).toList();
    lines.add(line("CDI", String.join(" ", names)));
    lines.add(line("environment", "NVIDIA_VISIBLE_DEVICES=" + all));
    TreeSet<String> nodes = new TreeSet<>();
    gpus.forEach(gpu -> nodes.addAll(gpu.words("nodes")));
    lines.add(line("devices", nodes.isEmpty() ? "none: software GPUs" : String.join(" ", nodes)));
    gpus.stream().filter(Handover::isOnBus).map(Handover::place).forEach(lines::add);
    return lines;
  }

  private static String line(String what, String value) {
    return "%-12s %s".formatted(what, value);
  }

  private static boolean isOnBus(Form gpu) {
    return !gpu.get("pci").isEmpty();
  }

  private static String place(Form gpu) {
    String group =
        gpu.get("iommuGroup").isEmpty()
            ? "no IOMMU, so not for virtual machines"
            : "IOMMU group " + gpu.get("iommuGroup") + others(gpu);
    return line("PCI", gpu.get("pci") + ", " + group);
  }

  private static String others(Form gpu) {
    List<String> others = gpu.words("neighbours");
    return others.isEmpty() ? "" : " with " + String.join(" ", others);
  }

  /** With managed='yes' libvirt takes it from its driver, and gives it back. */
  static String hostDevice(Form gpu) throws Failure {
    if (!gpu.get("profile").isEmpty()) {
      throw new Failure(
          gpu.get("uuid")
              + " is a slice of a GPU, no device of the bus: no virtual machine can have it"
              + " (NVIDIA's vGPU can give slices to machines; Outboard does not)");
    }
    String[] parts = gpu.get("pci").split("[:.]");
    if (parts.length != PARTS) {
      throw new Failure(gpu.get("uuid") + " is on no bus: no virtual machine can have it");
    }
    return """
        <hostdev mode='subsystem' type='pci' managed='yes'>
          <source>
            <address domain='0x%s' bus='0x%s' slot='0x%s' function='0x%s'/>
          </source>
        </hostdev>"""
        .formatted((Object[]) parts);
  }
}
