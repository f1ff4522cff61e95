// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The environment of each process that the daemon starts: the variables of the daemon's that are
 * listed here, and no others. The daemon's token, and any secret that the shell or the service
 * manager left in its environment, stay with the daemon.
 */
public final class ChildEnvironment {
  /** Variables that programs, the C library and the virtual machine read. */
  private static final Set<String> NAMES =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "TMPDIR",
          "TZ",
          "LANG",
          "LANGUAGE",
          "LD_LIBRARY_PATH",
          "LD_PRELOAD",
          "LD_BIND_NOW",
          "GLIBC_TUNABLES",
          "JAVA_TOOL_OPTIONS",
          "JDK_JAVA_OPTIONS",
          "XDG_CACHE_HOME",
          "XDG_CONFIG_HOME",
          "XDG_DATA_HOME",
          "XDG_RUNTIME_DIR",
          "OUTBOARD_PLUGINS");

  /** Variables of the vendors' drivers, by the prefixes in their documents. */
  private static final Set<String> PREFIXES =
      Set.of(
          "LC_",
          "MALLOC_",
          // NVIDIA's drivers.
          "CUDA_",
          "NVIDIA_",
          "NV_",
          "__NV_",
          // OpenCL's loader, and PoCL.
          "OCL_",
          "OPENCL_",
          "POCL_",
          "CL_",
          // AMD's, Intel's and Mesa's drivers.
          "AMD_",
          "GPU_",
          "HIP_",
          "HSA_",
          "ROCR_",
          "INTEL_",
          "NEO",
          "ZE_",
          "MESA_",
          "RUSTICL_",
          "GALLIUM_");

  private ChildEnvironment() {}

  /**
   * The part of the daemon's variables that a process gets.
   *
   * @param more names of variables that the operator gives it too
   */
  public static Map<String, String> of(Map<String, String> daemons, Collection<String> more) {
    return daemons.entrySet().stream()
        .filter(variable -> isGiven(variable.getKey()) || more.contains(variable.getKey()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static boolean isGiven(String name) {
    return NAMES.contains(name) || PREFIXES.stream().anyMatch(name::startsWith);
  }
}
