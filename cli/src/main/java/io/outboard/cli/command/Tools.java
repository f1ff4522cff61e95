// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import java.nio.file.Path;

/** Outboard's programs and libraries in C, where the launcher says that they are. */
public final class Tools {
  private static final String LIBRARIES = "outboard.libraries";
  private static final String BUILT = "frontend/target/lib";

  private Tools() {}

  /** The folder of the frontend's libraries. */
  public static Path libraries() {
    return Path.of(System.getProperty(LIBRARIES, BUILT)).toAbsolutePath();
  }

  /** The folder of its programs. */
  public static Path folder() {
    return libraries().resolveSibling("bin");
  }
}
