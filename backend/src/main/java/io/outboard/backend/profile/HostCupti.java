// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.profile;

import io.outboard.backend.system.Log;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The CUPTI of this machine: what the operator has named, else that of the toolkit. */
public final class HostCupti {
  /** A property of workers: the file of the library. */
  public static final String FILE = "outboard.cupti";

  /** A way to have one, for people. */
  static final String HINT = "it comes with the CUDA toolkit, or 'serve --cupti FILE' names it";

  private static final List<String> FOLDERS =
      List.of(
          "/usr/local/cuda/extras/CUPTI/lib64",
          "/usr/local/cuda/lib64",
          "/usr/local/cuda/targets/x86_64-linux/lib",
          "/usr/local/cuda/targets/sbsa-linux/lib",
          "/opt/cuda/extras/CUPTI/lib64",
          "/usr/lib/x86_64-linux-gnu",
          "/usr/lib/aarch64-linux-gnu",
          "/usr/lib64");

  private HostCupti() {}

  /** Loads it, which a process does once. */
  static Optional<VendorCupti> load() {
    return Optional.ofNullable(Loaded.LIBRARY);
  }

  private static final class Loaded {
    static final VendorCupti LIBRARY = first(candidates());

    private static VendorCupti first(List<String> files) {
      for (String file : files) {
        try {
          return new VendorCupti(file);
        } catch (IllegalArgumentException e) {
          Log.debug(file + " is no CUPTI that can be used: " + e.getMessage());
        }
      }
      return null;
    }
  }

  private static List<String> candidates() {
    String named = System.getProperty(FILE, "");
    if (!named.isEmpty()) {
      return List.of(named);
    }
    List<String> files = new ArrayList<>();
    FOLDERS.forEach(folder -> files.addAll(in(Path.of(folder))));
    return files;
  }

  /** The newest first. */
  private static List<String> in(Path folder) {
    List<String> files = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "libcupti.so*")) {
        all.forEach(file -> files.add(file.toString()));
      } catch (IOException e) {
        Log.debug(folder + " cannot be read: " + e.getMessage());
      }
    }
    files.sort(Comparator.reverseOrder());
    return files;
  }
}
