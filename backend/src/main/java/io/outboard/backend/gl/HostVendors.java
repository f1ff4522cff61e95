// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.gl;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.backend.system.Log;
import io.outboard.communicator.posix.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The vendors that the host's {@code libEGL} may load: all that the machine has but Outboard's own,
 * which would make this process a client of itself.
 */
final class HostVendors {
  /** In libglvnd's order (its {@code egl_vendor_icd.md}). */
  private static final List<String> FOLDERS =
      List.of("/etc/glvnd/egl_vendor.d", "/usr/share/glvnd/egl_vendor.d");

  private static final String VARIABLE = "__EGL_VENDOR_LIBRARY_FILENAMES";
  private static final String OWN = "libEGL_outboard";
  private static final String MESA = "libEGL_mesa";

  private HostVendors() {}

  /**
   * Has the library see these alone; before it is loaded.
   *
   * @param software whether that is Mesa's, on processors alone
   */
  static void show(boolean software) {
    if (software) {
      Processes.setenv("LIBGL_ALWAYS_SOFTWARE", "1");
    }
    Processes.setenv(
        VARIABLE,
        FOLDERS.stream()
            .flatMap(folder -> files(Path.of(folder)))
            .filter(file -> isShown(file, software))
            .map(Path::toString)
            .collect(Collectors.joining(":")));
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream();
    } catch (IOException e) {
      Log.debug("no vendors of EGL in " + folder + ": " + e.getMessage());
      return Stream.empty();
    }
  }

  private static boolean isShown(Path file, boolean software) {
    try {
      String text = Files.readString(file, UTF_8);
      return !text.contains(OWN) && (!software || text.contains(MESA));
    } catch (IOException e) {
      Log.debug("a vendor of EGL that cannot be read: " + e.getMessage());
      return false;
    }
  }
}
