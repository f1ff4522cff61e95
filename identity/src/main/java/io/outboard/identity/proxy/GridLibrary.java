// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.proxy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The library that knows grids. It lies in a folder beside the class path: with Bouncy Castle it is
 * of 10 MB, for which nobody else is to wait.
 */
final class GridLibrary {
  private static final String FOLDER = "voms";

  private GridLibrary() {}

  /**
   * Makes the trust of a grid.
   *
   * @throws IOException if the library is not there, or the grid's folders cannot be read
   */
  static GridTrust open(Grid grid) throws IOException {
    Optional<GridTrust.Maker> own = maker(GridLibrary.class.getClassLoader());
    return own.isPresent() ? own.get().open(grid) : beside().open(grid);
  }

  private static Optional<GridTrust.Maker> maker(ClassLoader loader) {
    return ServiceLoader.load(GridTrust.Maker.class, loader).findFirst();
  }

  private static GridTrust.Maker beside() throws IOException {
    Path folder = folder();
    // It stays as long as the process, as its classes do.
    ClassLoader loader =
        new URLClassLoader(FOLDER, jars(folder), GridLibrary.class.getClassLoader());
    return maker(loader)
        .orElseThrow(() -> new IOException("the library of grids is not in " + folder));
  }

  private static Path folder() throws IOException {
    try {
      URL own = GridLibrary.class.getProtectionDomain().getCodeSource().getLocation();
      return Path.of(own.toURI()).resolveSibling(FOLDER);
    } catch (URISyntaxException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static URL[] jars(Path folder) throws IOException {
    List<URL> jars = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jar")) {
        for (Path file : files) {
          jars.add(file.toUri().toURL());
        }
      }
    }
    return jars.toArray(URL[]::new);
  }
}
