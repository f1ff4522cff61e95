// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.confine;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The files of this machine that a confined worker sees: libraries, a linker for OpenCL drivers
 * that run one, the Java runtime, Outboard's own, some facts about the machine, and GPUs.
 */
final class ShownFiles {
  /** Libraries, their data, and what says where they are; those that are not there are left out. */
  private static final List<String> LIBRARIES =
      List.of(
          "/lib",
          "/lib32",
          "/lib64",
          "/usr/lib",
          "/usr/lib32",
          "/usr/lib64",
          "/usr/local/lib",
          "/usr/local/lib64",
          "/usr/local/cuda",
          "/usr/local/nvidia",
          "/opt/rocm",
          "/opt/amdgpu",
          "/opt/intel",
          "/nix/store",
          "/gnu/store",
          "/run/opengl-driver",
          "/usr/share/pocl",
          "/usr/local/share/pocl",
          "/usr/share/nvidia",
          "/usr/share/drirc.d",
          "/usr/share/libdrm",
          "/usr/share/zoneinfo",
          "/etc/alternatives",
          "/etc/ld.so.cache",
          "/etc/ld.so.conf",
          "/etc/ld.so.conf.d",
          "/etc/localtime",
          "/etc/OpenCL");

  /** PoCL has one of them make a library of each kernel. */
  private static final List<String> LINKERS =
      List.of(
          "/usr/bin/ld",
          "/usr/bin/ld.bfd",
          "/usr/bin/ld.gold",
          "/usr/bin/ld.lld",
          "/usr/local/bin/ld");

  /** How many processors there are, and how they share memory. */
  private static final List<String> FACTS =
      List.of(
          "/sys/devices/system/cpu",
          "/sys/devices/system/node",
          "/sys/kernel/mm/transparent_hugepage");

  /** Where drivers of GPUs look for them. */
  private static final List<String> GPU_FACTS =
      List.of("/sys/devices", "/sys/bus/pci", "/sys/class/drm", "/sys/dev/char", "/sys/module");

  private static final Path DEVICES = Path.of("/dev");
  private static final String GPUS = "{nvidia*,dri,kfd,dxg}";
  private static final String JAVA_SETTINGS = "java-*-openjdk";
  private static final String START_UP_CACHE = "-XX:AOTCache=";

  /** Variables that name files and folders of libraries, with colons between them. */
  private static final List<String> VARIABLES =
      List.of("LD_LIBRARY_PATH", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "OUTBOARD_PLUGINS");

  private ShownFiles() {}

  /** Those that are read. */
  static List<String> read(List<String> machineOptions, Map<String, String> environment) {
    Stream<String> all =
        Stream.of(
                LIBRARIES.stream(),
                LINKERS.stream(),
                FACTS.stream(),
                devices().isEmpty() ? Stream.<String>empty() : GPU_FACTS.stream(),
                java(),
                outboard(machineOptions),
                named(environment))
            .flatMap(paths -> paths);
    return all.filter(path -> path.startsWith("/")).distinct().toList();
  }

  /** Device files of GPUs, and folders of them. */
  static List<Path> devices() {
    return below(DEVICES, GPUS);
  }

  /** A distribution may have the runtime's settings elsewhere. */
  private static Stream<String> java() {
    Stream<Path> settings = below(Path.of("/etc"), JAVA_SETTINGS).stream();
    return Stream.concat(Stream.of(System.getProperty("java.home")), settings.map(Path::toString));
  }

  /** A jar names others, which lie in a folder beside it. */
  private static Stream<String> outboard(List<String> machineOptions) {
    Stream<String> classes =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !entry.isEmpty())
            .map(entry -> Path.of(entry).toAbsolutePath())
            .flatMap(entry -> Stream.of(entry, entry.resolveSibling("lib")))
            .map(Path::toString);
    Stream<String> caches =
        machineOptions.stream()
            .filter(option -> option.startsWith(START_UP_CACHE))
            .map(option -> option.substring(START_UP_CACHE.length()));
    return Stream.concat(classes, caches);
  }

  private static Stream<String> named(Map<String, String> environment) {
    return VARIABLES.stream()
        .map(name -> environment.getOrDefault(name, ""))
        .flatMap(value -> Arrays.stream(value.split(File.pathSeparator, -1)));
  }

  private static List<Path> below(Path folder, String pattern) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, pattern)) {
      files.forEach(found::add);
    } catch (IOException | DirectoryIteratorException e) {
      return List.of();
    }
    return found;
  }
}
