// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import io.outboard.client.find.Backends;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;

/** Looks at the frontend's libraries and at the variables that change what programs see. */
public final class EnvironmentCheck {
  private static final List<String> LIBRARIES =
      List.of("liboutboard.so", "libcuda.so.1", "libcuda.so", "libnvidia-ml.so.1");

  /** Those whose work the vendor's own libraries do, on Outboard's driver. */
  private static final Set<String> PLUGINS =
      Set.of(
          "cuda",
          "cudadr",
          "cudart",
          "cublas",
          "cudnn",
          "cufft",
          "curand",
          "cusolver",
          "cusparse",
          "nvml",
          "opencl",
          "nvrtc");

  private EnvironmentCheck() {}

  /**
   * Looks.
   *
   * @param libraries folder of the frontend's libraries
   */
  public static List<Finding> of(Path libraries, Map<String, String> environment) {
    List<Finding> findings = new ArrayList<>();
    List<String> missing =
        LIBRARIES.stream().filter(name -> !Files.isReadable(libraries.resolve(name))).toList();
    findings.add(
        missing.isEmpty()
            ? Finding.good("the frontend's libraries are in %s".formatted(libraries))
            : Finding.bad(
                "%s lacks %s: build or unpack Outboard anew".formatted(libraries, missing)));
    visible(findings, environment.get("CUDA_VISIBLE_DEVICES"));
    if ("1".equals(environment.get("OUTBOARD_SYNC"))) {
      findings.add(Finding.doubtful("OUTBOARD_SYNC=1: every call waits for its answer"));
    }
    String preloaded = environment.getOrDefault("LD_PRELOAD", "");
    if (!preloaded.isBlank()) {
      findings.add(
          Finding.doubtful("LD_PRELOAD=%s is loaded into every program".formatted(preloaded)));
    }
    return findings;
  }

  /** Plug-ins of GVirtuS that have no counterpart; where there is one, nothing has to be said. */
  public static List<Finding> plugins(List<Path> gvirtusFiles) throws IOException {
    List<Finding> findings = new ArrayList<>();
    for (Path file : gvirtusFiles) {
      List<String> unknown =
          plugins(file).stream().filter(name -> !PLUGINS.contains(name)).toList();
      if (!unknown.isEmpty()) {
        findings.add(
            Finding.doubtful(
                "%s names plug-ins that have no counterpart here: %s"
                    .formatted(file, String.join(", ", unknown))));
      }
    }
    return findings;
  }

  private static List<String> plugins(Path file) throws IOException {
    Properties properties = Files.isReadable(file) ? Backends.load(file) : new Properties();
    return Stream.of("plugin", "plugins")
        .map(key -> properties.getProperty(key, ""))
        .flatMap(names -> Stream.of(names.split(",", -1)))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  /**
   * CUDA C++ Programming Guide, "CUDA Environment Variables": devices after a wrong number are
   * hidden.
   */
  private static void visible(List<Finding> findings, String devices) {
    if (devices == null) {
      return;
    }
    boolean none = devices.isBlank() || devices.strip().startsWith("-");
    findings.add(
        none
            ? Finding.bad(
                "CUDA_VISIBLE_DEVICES='%s' hides every device: unset it".formatted(devices))
            : Finding.doubtful(
                "CUDA_VISIBLE_DEVICES=%s limits what programs see".formatted(devices)));
  }
}
