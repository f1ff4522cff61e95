// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote down. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    return new String[] {"outboard " + number(), "Java " + Runtime.version()};
  }

  /** The version alone. */
  static String number() throws IOException {
    Properties build = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("build.properties")) {
      build.load(in);
    }
    return build.getProperty("version");
  }
}
