// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.plugin;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.List;

/**
 * Kinds of devices that {@code serve --device} knows. Whether the vendor's library is here says
 * nothing of devices: {@code outboard devices} asks a backend for those.
 *
 * @param name as {@code --device} says
 * @param why why there can be none here; empty if there can
 */
record DeviceSupport(String name, String why) {
  /** Looks for what they need. */
  static List<DeviceSupport> ofThisMachine() {
    return List.of(
        new DeviceSupport("software", ""),
        new DeviceSupport("nvidia", lacking("libcuda.so.1")),
        new DeviceSupport("opencl", lacking("libOpenCL.so.1")));
  }

  private static String lacking(String library) {
    try (Arena arena = Arena.ofConfined()) {
      SymbolLookup unused = SymbolLookup.libraryLookup(library, arena);
      return "";
    } catch (IllegalArgumentException e) {
      return "needs " + library + ", which this machine lacks";
    }
  }
}
