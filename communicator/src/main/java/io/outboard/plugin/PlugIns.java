// SPDX-License-Identifier: Apache-2.0
package io.outboard.plugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The plug-ins of this process: the jars of one folder, looked at once. */
public final class PlugIns {
  /** The variable that names the folder; the launcher sets it, workers inherit it. */
  public static final String VARIABLE = "OUTBOARD_PLUGINS";

  private static final String JAR = ".jar";

  private PlugIns() {}

  /** The jars that can be used and those that cannot. */
  private record Found(List<PlugIn> opened, List<Offers.Refused> refused) {
    static final Found HERE = find();

    private static Found find() {
      List<PlugIn> opened = new ArrayList<>();
      List<Offers.Refused> refused = new ArrayList<>();
      for (Path jar : folder().map(folder -> files(folder, JAR)).orElse(List.of())) {
        try {
          opened.add(PlugIn.open(jar));
        } catch (PlugInException e) {
          refused.add(new Offers.Refused(jar, e.getMessage()));
        }
      }
      return new Found(List.copyOf(opened), List.copyOf(refused));
    }
  }

  /** The folder, if one is named and there. */
  public static Optional<Path> folder() {
    return Optional.ofNullable(System.getenv(VARIABLE))
        .filter(name -> !name.isEmpty())
        .map(Path::of)
        .filter(Files::isDirectory);
  }

  /** The files of a folder whose names have a text in them, by name; none if it cannot be read. */
  public static List<Path> files(Path folder, String text) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().contains(text)).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Those that can be used. */
  static List<PlugIn> opened() {
    return Found.HERE.opened;
  }

  /** Those that cannot, whatever they offer. */
  public static List<Offers.Refused> refused() {
    return Found.HERE.refused;
  }
}
