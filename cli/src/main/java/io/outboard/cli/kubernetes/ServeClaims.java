// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.kubernetes;

import io.outboard.backend.system.LogFormat;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.WatchLoop;
import io.outboard.communicator.posix.Processes;
import io.outboard.kubernetes.claim.ClusterClaims;
import io.outboard.kubernetes.claim.Driver;
import io.outboard.kubernetes.lease.Cluster;
import io.outboard.kubernetes.plugin.ClaimDriver;
import io.outboard.kubernetes.pod.PodPatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code outboard kubernetes driver}. */
@Command(
    name = "driver",
    mixinStandardHelpOptions = true,
    description = {
      "Gives containers of this node the GPUs of their claims, as the kubelet asks (DRA).",
      "For 'serve --claims'; it asks the cluster alone, and no lease office."
    })
final class ServeClaims implements Callable<Integer> {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = {
        "Where the cluster is, and as whom it is asked. Default: the cluster in which this runs, or",
        "as kubectl finds it."
      })
  private Path kubeconfig;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      defaultValue = "outboard",
      description = "The namespace that 'serve --claims' names. Default: ${DEFAULT-VALUE}")
  private String namespace;

  @Option(
      names = "--registry",
      paramLabel = "FOLDER",
      defaultValue = "/var/lib/kubelet/plugins_registry",
      description = "Where the kubelet looks for plug-ins. Default: ${DEFAULT-VALUE}")
  private Path registry;

  @Option(
      names = "--plugins",
      paramLabel = "FOLDER",
      defaultValue = "/var/lib/kubelet/plugins",
      description = "Where each plug-in has a folder for its socket. Default: ${DEFAULT-VALUE}")
  private Path plugins;

  @Option(
      names = "--cdi",
      paramLabel = "FOLDER",
      defaultValue = "/var/run/cdi",
      description = "Where the container runtime reads devices. Default: ${DEFAULT-VALUE}")
  private Path cdi;

  @Option(
      names = "--client",
      paramLabel = "FOLDER",
      defaultValue = "/opt/outboard",
      description = "The client on this node. Default: ${DEFAULT-VALUE}")
  private Path client;

  @Override
  public Integer call() throws Failure {
    Processes.hide();
    LogFormat.usual(System.getenv()).use();
    try (Cluster cluster = Cluster.of(Optional.ofNullable(kubeconfig));
        ClaimDriver driver =
            new ClaimDriver(
                Driver.NAME,
                new ClaimDriver.Folders(registry, plugins, cdi),
                ClusterClaims.of(cluster, namespace),
                Map.of(client.toAbsolutePath(), PodPatch.HOME),
                PodPatch.LOADING)) {
      WatchLoop.ready();
      driver.await();
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }
}
