// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import io.outboard.cli.command.Version;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code outboard version}. */
@Command(
    name = "version",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Prints the version.")
final class VersionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().printVersionHelp(spec.commandLine().getOut());
    return 0;
  }
}
