// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import io.outboard.plugin.Build;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote down. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"outboard " + Build.VERSION, "Java " + Runtime.version()};
  }
}
