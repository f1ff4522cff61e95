// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.port;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A virtio-serial port of this virtual machine.
 *
 * @param name the one that its hypervisor gives it
 * @param folder where the kernel describes it
 */
public record VirtioPort(String name, Path folder) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}");
  private static final String OUTBOARD = "outboard.";

  /**
   * Finds one that was given to this machine for Outboard: its name begins with {@code outboard.}.
   *
   * @param root above {@code sys}
   */
  public static Optional<VirtioPort> ofOutboard(Path root) {
    Path ports = root.resolve("sys/class/virtio-ports");
    try (Stream<Path> folders = Files.list(ports)) {
      return folders
          .sorted()
          .flatMap(folder -> name(folder).map(name -> new VirtioPort(name, folder)).stream())
          .filter(port -> port.name().startsWith(OUTBOARD))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** None where the port has none, or was unplugged meanwhile. */
  private static Optional<String> name(Path folder) {
    try {
      return Optional.of(Files.readString(folder.resolve("name")).strip())
          .filter(VirtioPort::isName);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Whether a port may have that name: it becomes part of the path of a socket. */
  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }
}
