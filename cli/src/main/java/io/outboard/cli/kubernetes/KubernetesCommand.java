// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.kubernetes;

import io.outboard.cli.command.Version;
import io.outboard.cli.openstack.OfficeOptions;
import io.outboard.cli.serve.ConfigFile;
import io.outboard.office.LeaseOffice;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code outboard kubernetes}. */
@Command(
    name = "kubernetes",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Gives pods of Kubernetes the GPUs of a pool.",
      "The options that say where the pool is come before COMMAND."
    },
    subcommands = {
      ServePods.class,
      ServeNode.class,
      ServeClaims.class,
      PrintManifests.class,
      WriteChart.class,
      PrintClaimManifests.class
    })
public final class KubernetesCommand implements Runnable {
  @Spec private CommandSpec spec;

  // ConfigFile has read it when this is parsed.
  @SuppressWarnings("UnusedVariable")
  @Option(
      names = ConfigFile.OPTION,
      paramLabel = "FILE",
      description = "A file with options, one a line, as 'api = https://broker.example:14902'.")
  private Path config;

  @Mixin private OfficeOptions office;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "serve, plugin, driver, manifests, chart or claim-manifests?");
  }

  LeaseOffice office() throws IOException {
    return office.office();
  }
}
