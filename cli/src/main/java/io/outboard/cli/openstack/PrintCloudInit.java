// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.openstack;

import io.outboard.openstack.offer.CloudInit;
import java.net.URI;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code outboard openstack cloud-init}. */
@Command(
    name = "cloud-init",
    mixinStandardHelpOptions = true,
    description = {
      "Prints user data with which a plain image of Debian is a machine with remote GPUs.",
      "It is the same for all machines, and has no secret."
    })
final class PrintCloudInit implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--client",
      paramLabel = "URL",
      required = true,
      description = "Where machines find the package outboard-client.")
  private URI client;

  @Option(
      names = "--sha256",
      paramLabel = "DIGITS",
      defaultValue = "",
      description = "That of the package; wanted where its address is not of https.")
  private String sha256;

  @Override
  public Integer call() {
    try {
      spec.commandLine().getOut().print(new CloudInit(client, sha256).text());
      spec.commandLine().getOut().flush();
      return 0;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
