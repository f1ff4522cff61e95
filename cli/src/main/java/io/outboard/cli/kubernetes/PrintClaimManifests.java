// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.kubernetes;

import io.outboard.kubernetes.claim.ClaimManifests;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code outboard kubernetes claim-manifests}. */
@Command(
    name = "claim-manifests",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the objects that a cluster has to have for claims (DRA), for 'kubectl apply -f -'.",
      "Beside those of 'manifests': the class of devices, rights, and the driver of each node."
    })
final class PrintClaimManifests implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      defaultValue = "outboard",
      description = "The namespace of the service. Default: ${DEFAULT-VALUE}")
  private String namespace;

  @Option(
      names = "--image",
      paramLabel = "IMAGE",
      defaultValue = "outboard:latest",
      description = "The image of the driver. Default: ${DEFAULT-VALUE}")
  private String image;

  @Option(names = "--examples", description = "Prints claims and pods of users in their place.")
  private boolean examples;

  @Override
  public Integer call() {
    try {
      ClaimManifests manifests = new ClaimManifests(namespace, image);
      spec.commandLine().getOut().print(examples ? manifests.examples() : manifests.text());
      spec.commandLine().getOut().flush();
      return 0;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
