// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.openstack;

import io.outboard.cli.cloud.CloudOptions;
import io.outboard.cli.command.Version;
import io.outboard.cli.serve.ConfigFile;
import io.outboard.office.LeaseOffice;
import io.outboard.openstack.cloud.Keystone;
import io.outboard.openstack.offer.OfferTerms;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code outboard openstack}. */
@Command(
    name = "openstack",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Gives virtual machines of OpenStack the GPUs of a pool.",
      "The options that say where pool and cloud are come before COMMAND."
    },
    subcommands = {
      ServeMachines.class,
      MakeFlavor.class,
      PrintCloudInit.class,
      PrintStale.class,
      PrintGlue.class,
      ExplainToken.class
    })
public final class OpenstackCommand implements Runnable {
  @Spec private CommandSpec spec;

  // ConfigFile has read it when this is parsed.
  @SuppressWarnings("UnusedVariable")
  @Option(
      names = ConfigFile.OPTION,
      paramLabel = "FILE",
      description = "A file with options, one a line, as 'region = RegionOne'.")
  private Path config;

  @Mixin private OfficeOptions office;
  @Mixin private CloudOptions cloud;

  @Option(
      names = "--pool",
      paramLabel = "NAME",
      defaultValue = "gpus",
      description =
          "The pool's name in Placement, by which it finds its own. Default: ${DEFAULT-VALUE}")
  private String pool;

  @Option(
      names = "--aggregate",
      paramLabel = "NAME",
      defaultValue = "remote-gpus",
      description = {
        "Nova's aggregate of the hosts whose machines may have the GPUs ('openstack aggregate",
        "create'). Default: ${DEFAULT-VALUE}"
      })
  private String aggregate;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "serve, flavor, cloud-init, stale, glue or explain?");
  }

  LeaseOffice office() throws IOException {
    return office.office();
  }

  Keystone keystone() throws IOException {
    return cloud.keystone();
  }

  Keystone keystone(Duration limit) throws IOException {
    return cloud.keystone(limit);
  }

  /** Where Keystone is. */
  URI identity() {
    return cloud.identity();
  }

  /** How the pool is offered: all else is of the one command that serves. */
  OfferTerms terms(BigDecimal overcommit, long shared) {
    return new OfferTerms(pool, aggregate, overcommit, shared);
  }
}
