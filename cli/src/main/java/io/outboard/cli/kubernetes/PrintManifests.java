// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.kubernetes;

import io.outboard.cli.command.Failure;
import io.outboard.kubernetes.manifest.Manifests;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code outboard kubernetes manifests}. */
@Command(
    name = "manifests",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the objects that a cluster has to have, for 'kubectl apply -f -'.",
      "The resource GpuLease, the rights of the service, the service itself and its webhook."
    })
final class PrintManifests implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      defaultValue = "outboard",
      description = "The namespace of the service. Default: ${DEFAULT-VALUE}")
  private String namespace;

  @Option(
      names = "--webhook-ca",
      paramLabel = "FILE",
      required = true,
      description = "The authority that vouches for the webhook, PEM ('outboard cert').")
  private Path authority;

  @Option(
      names = "--failure-policy",
      paramLabel = "WORD",
      defaultValue = "Ignore",
      description = {
        "What becomes of a pod when the webhook does not answer: Ignore has it begin without GPUs,",
        "Fail has it not begin at all. Default: ${DEFAULT-VALUE}"
      })
  private Manifests.FailurePolicy policy;

  @Option(
      names = "--webhook-url",
      paramLabel = "URL",
      description = {
        "Where the API server reaches a service that runs outside of the cluster:",
        "https://HOST:PORT/v1/pods. Default: the cluster runs it."
      })
  private URI outside;

  @Option(
      names = "--service-api",
      paramLabel = "URL",
      defaultValue = "https://broker.example:14902",
      description = "The lease office, as the service reaches it. Default: ${DEFAULT-VALUE}")
  private String api;

  @Option(
      names = "--image",
      paramLabel = "IMAGE",
      defaultValue = "outboard:latest",
      description = "The image of the service. Default: ${DEFAULT-VALUE}")
  private String image;

  @Option(
      names = "--client-image",
      paramLabel = "IMAGE",
      defaultValue = "outboard-client:latest",
      description = "The image of the client. Default: ${DEFAULT-VALUE}")
  private String clientImage;

  @Override
  public Integer call() throws Failure {
    try {
      Manifests manifests =
          new Manifests(
              namespace,
              Files.readString(authority),
              policy,
              Optional.ofNullable(outside),
              new Manifests.Inside(image, clientImage, api));
      spec.commandLine().getOut().print(manifests.text());
      spec.commandLine().getOut().flush();
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
