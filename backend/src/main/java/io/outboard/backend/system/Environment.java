// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import io.outboard.communicator.posix.Processes;
import java.util.List;
import java.util.Set;

/** The process's own environment, as the vendor's library reads it. */
public final class Environment {
  /**
   * CUDA C++ Programming Guide, "CUDA Environment Variables", but for what the operator decides:
   * which devices there are, and where files lie.
   */
  private static final Set<String> CLIENTS =
      Set.of(
          "CUDA_LAUNCH_BLOCKING",
          "CUDA_MODULE_LOADING",
          "CUDA_MODULE_DATA_LOADING",
          "CUDA_CACHE_DISABLE",
          "CUDA_CACHE_MAXSIZE",
          "CUDA_FORCE_PTX_JIT",
          "CUDA_DISABLE_PTX_JIT",
          "CUDA_FORCE_JIT",
          "CUDA_DISABLE_JIT",
          "CUDA_DEVICE_MAX_CONNECTIONS",
          "CUDA_SCALE_LAUNCH_QUEUES",
          "CUDA_AUTO_BOOST",
          "CUDA_DEVICE_DEFAULT_PERSISTING_L2_CACHE_PERCENTAGE_LIMIT");

  private Environment() {}

  /** Has the vendor's driver, which must not be initialised yet, show these devices alone. */
  public static void showDevices(List<String> uuids) {
    Processes.setenv("CUDA_VISIBLE_DEVICES", String.join(",", uuids));
  }

  /**
   * Has MPS give the vendor's driver, which must not be initialised yet, so much of a device's
   * multiprocessors at a time ("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE").
   */
  public static void limitThreads(int percent) {
    Processes.setenv("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", Integer.toString(percent));
  }

  /** Sets a variable; only those that are the client's to set, whatever it says. */
  public static void set(String name, String value) {
    if (CLIENTS.contains(name)) {
      Processes.setenv(name, value);
    }
  }
}
