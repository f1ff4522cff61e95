// SPDX-License-Identifier: Apache-2.0
package io.outboard.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Facts that the build wrote down about itself. */
public final class Build {
  /** Outboard's version. */
  public static final String VERSION = version();

  private Build() {}

  private static String version() {
    Properties build = new Properties();
    try (InputStream in = Build.class.getResourceAsStream("build.properties")) {
      build.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return build.getProperty("version");
  }
}
