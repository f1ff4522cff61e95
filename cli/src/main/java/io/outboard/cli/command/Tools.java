// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What belongs to this installation, where the launcher says that it is. */
public final class Tools {
  private static final String LIBRARIES = "outboard.libraries";
  private static final String BUILT = "frontend/target/lib";

  private Tools() {}

  /** The folder of the frontend's libraries. */
  public static Path libraries() {
    return Path.of(System.getProperty(LIBRARIES, BUILT)).toAbsolutePath();
  }

  /** A program that can be tried, where there is one. */
  public static Optional<Path> example() {
    return Optional.of(System.getProperty("outboard.example", ""))
        .filter(name -> !name.isEmpty())
        .map(Path::of)
        .filter(Files::isExecutable);
  }

  /** Whether this is an installation, without the sources. */
  public static boolean isInstalled() {
    return Boolean.getBoolean("outboard.installed");
  }

  /** The folder of its programs. */
  public static Path folder() {
    return libraries().resolveSibling("bin");
  }
}
