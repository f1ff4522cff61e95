// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import io.outboard.lease.Gpu;
import io.outboard.lease.Slice;
import io.outboard.lease.store.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds devices among this host's files: NVIDIA's driver describes each GPU in {@code
 * /proc/driver/nvidia/gpus/ADDRESS/information}, and the files of a slice's capabilities in {@code
 * /proc/driver/nvidia/capabilities} (MIG User Guide, "Device Nodes and Capabilities"), the kernel
 * the groups of its IOMMU in {@code /sys}. Asks no driver, which might have to be unbound from the
 * device.
 */
final class HostDevices {
  /** The files that all of a driver's devices share (NVIDIA's driver README, "Device files"). */
  private static final List<String> COMMON = List.of("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools");

  private static final String UUID = "GPU UUID";
  private static final String MINOR = "Device Minor";
  private static final String CAPABILITY = "DeviceFileMinor";

  private final Path root;

  /** {@code root} is where the host's files are. */
  HostDevices(Path root) {
    this.root = root;
  }

  /**
   * Where a device is; {@link HostDevice#NONE} where the driver knows none. A slice is in its GPU,
   * and on no bus itself.
   */
  HostDevice find(Gpu gpu) {
    String uuid = gpu.slice().map(Slice::parent).orElse(gpu.uuid());
    Path gpus = root.resolve("proc/driver/nvidia/gpus");
    if (!Files.isDirectory(gpus)) {
      return HostDevice.NONE;
    }
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(gpus)) {
      for (Path folder : folders) {
        Map<String, String> facts = facts(folder.resolve("information"));
        if (uuid.equals(facts.get(UUID))) {
          String pci = folder.getFileName().toString();
          return gpu.slice().isPresent() ? slice(gpu.slice().get(), facts) : device(pci, facts);
        }
      }
      return HostDevice.NONE;
    } catch (IOException e) {
      throw new StoreException("the host's devices cannot be read: " + e.getMessage(), e);
    }
  }

  /** Lines of a name, a colon and a value. */
  private static Map<String, String> facts(Path file) throws IOException {
    Map<String, String> facts = new HashMap<>();
    for (String line : Files.readAllLines(file)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        facts.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
      }
    }
    return facts;
  }

  private HostDevice device(String pci, Map<String, String> facts) throws IOException {
    Optional<Path> group = group(pci);
    return new HostDevice(
        pci,
        group.map(folder -> folder.getFileName().toString()).orElse(""),
        group.isPresent() ? neighbours(group.get(), pci) : List.of(),
        nodes(facts));
  }

  private HostDevice slice(Slice slice, Map<String, String> facts) throws IOException {
    Path instance =
        root.resolve("proc/driver/nvidia/capabilities")
            .resolve("gpu" + facts.get(MINOR))
            .resolve("mig/gi" + slice.gpuInstance());
    List<String> nodes = new ArrayList<>(nodes(facts));
    nodes.add(capability(instance));
    nodes.add(capability(instance.resolve("ci" + slice.computeInstance())));
    return new HostDevice("", "", List.of(), nodes);
  }

  /** The file that lets a process use an instance. */
  private static String capability(Path instance) throws IOException {
    return "/dev/nvidia-caps/nvidia-cap" + facts(instance.resolve("access")).get(CAPABILITY);
  }

  private Optional<Path> group(String pci) throws IOException {
    Path link = root.resolve("sys/bus/pci/devices").resolve(pci).resolve("iommu_group");
    return Files.exists(link) ? Optional.of(link.toRealPath()) : Optional.empty();
  }

  private static List<String> neighbours(Path group, String pci) throws IOException {
    try (Stream<Path> devices = Files.list(group.resolve("devices"))) {
      return devices
          .map(device -> device.getFileName().toString())
          .filter(other -> !other.equals(pci))
          .sorted()
          .toList();
    }
  }

  private List<String> nodes(Map<String, String> facts) {
    List<String> nodes = new ArrayList<>();
    if (facts.containsKey(MINOR)) {
      nodes.add("/dev/nvidia" + facts.get(MINOR));
    }
    COMMON.stream()
        .filter(name -> Files.exists(root.resolve("dev").resolve(name)))
        .forEach(name -> nodes.add("/dev/" + name));
    return nodes;
  }
}
