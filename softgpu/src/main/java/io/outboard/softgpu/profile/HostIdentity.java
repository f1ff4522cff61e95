// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A mark that tells this host from others, and stays when the host starts again. */
public final class HostIdentity {
  private HostIdentity() {}

  /**
   * The machine's identity ({@code machine-id(5)}), or the name of the host where there is none.
   */
  public static String read() {
    try {
      return Files.readString(Path.of("/etc/machine-id")).strip();
    } catch (IOException missing) {
      return hostName();
    }
  }

  private static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException missing) {
      return "";
    }
  }
}
