// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.kubernetes;

import io.outboard.api.ApiAddress;
import io.outboard.api.HttpServer;
import io.outboard.api.http.RateLimit;
import io.outboard.backend.system.LogFormat;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.command.WatchLoop;
import io.outboard.cli.serve.TlsOptions;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.communicator.posix.Processes;
import io.outboard.identity.IdentityFile;
import io.outboard.kubernetes.claim.ClaimWatch;
import io.outboard.kubernetes.lease.Cluster;
import io.outboard.kubernetes.lease.ClusterRules;
import io.outboard.kubernetes.lease.ClusterWatch;
import io.outboard.kubernetes.lease.LeaseTerms;
import io.outboard.kubernetes.pod.PodEndpoint;
import io.outboard.kubernetes.pod.PodNames;
import io.outboard.kubernetes.pod.PodPatch;
import io.outboard.kubernetes.pod.PodSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code outboard kubernetes serve}. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = {
      "Has leases begin and end with pods and GpuLeases of a cluster.",
      "One of it runs for a cluster, until it is told to end."
    })
final class ServePods implements Callable<Integer> {
  private static final int RATE = 1_000;

  @Spec private CommandSpec spec;
  @ParentCommand private KubernetesCommand parent;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = {
        "Where the cluster is, and as whom it is asked. Default: the cluster in which this runs, or",
        "as kubectl finds it."
      })
  private Path kubeconfig;

  @Option(
      names = "--listen",
      paramLabel = "URL",
      defaultValue = "https://127.0.0.1:14906",
      description = {
        "Where the API server asks about pods, at /v1/pods: https://HOST:PORT.",
        "Default: ${DEFAULT-VALUE}"
      })
  private String listen;

  @Mixin private TlsOptions tls;

  @Option(
      names = "--client-image",
      paramLabel = "IMAGE",
      required = true,
      description = "The image with the client that pods begin with ('outboard dist').")
  private String clientImage;

  @Option(
      names = "--by-nodes",
      description = {
        "GPUs in a pod's limits stay there, for the scheduler: nodes have them by 'outboard",
        "kubernetes plugin', which brings client and address into containers as well."
      })
  private boolean byNodes;

  @Option(
      names = "--claims",
      paramLabel = "NAMESPACE",
      description = {
        "Has leases for ResourceClaims too (DRA): the pool is published as devices, and drivers of",
        "nodes find credentials of claims as secrets in that namespace (docs/kubernetes.md)."
      })
  private String claims;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = Quantities.Time.class,
      description = {
        "How often leases are compared with the cluster where nothing happens there.",
        "Default: ${DEFAULT-VALUE}"
      })
  private Duration interval;

  @Option(
      names = "--life",
      paramLabel = "TIME",
      defaultValue = "10m",
      converter = Quantities.Time.class,
      description = {
        "How long leases go on while this service is not there to renew them: pods keep their GPUs",
        "for half of it at least. Default: ${DEFAULT-VALUE}"
      })
  private Duration life;

  @Option(
      names = "--idle-suspend",
      paramLabel = "TIME",
      defaultValue = "0",
      converter = Quantities.TimeOrNone.class,
      description = {
        "How long GPUs of a pod may be idle before others can have them; a call of its programs",
        "gets some again. Default: the node's '--idle-suspend'"
      })
  private Duration idle;

  @Option(
      names = "--identity",
      paramLabel = "FILE",
      description = {
        "The rules that say who namespaces are (docs/identity.md). Default: each is a tenant of its",
        "name."
      })
  private Path identity;

  @Override
  public Integer call() throws Failure {
    ApiAddress address = address();
    Processes.hide();
    LogFormat.usual(System.getenv()).use();
    try (Cluster cluster = Cluster.of(Optional.ofNullable(kubeconfig));
        ClusterWatch watch =
            cluster.watch(parent.office(), rules(), new LeaseTerms(life, idle), interval);
        ClaimWatch claimed = claims(cluster, watch);
        HttpServer server =
            HttpServer.start(address, Optional.of(certificate()), endpoint(watch))) {
      announce(server);
      goOn(watch, Optional.ofNullable(claimed));
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  /** The API server asks over TLS alone. */
  private ApiAddress address() {
    try {
      ApiAddress address = ApiAddress.parse(listen);
      if (address.encrypted()) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--listen: " + e.getMessage(), e);
    }
    throw new ParameterException(spec.commandLine(), "--listen: the API server wants https");
  }

  /** Null where nobody wants it: an older API server has no claims. */
  private ClaimWatch claims(Cluster cluster, ClusterWatch watch) throws IOException {
    return claims == null ? null : ClaimWatch.of(cluster, parent.office(), claims, watch.bell());
  }

  private ClusterRules rules() throws IOException {
    return identity == null
        ? ClusterRules.usual()
        : new ClusterRules(IdentityFile.read(identity).rules());
  }

  private TlsServer certificate() throws IOException {
    return tls.server();
  }

  private PodEndpoint endpoint(ClusterWatch watch) {
    PodPatch patch = new PodPatch(new PodSettings(clientImage, byNodes), new PodNames());
    return new PodEndpoint(patch, new RateLimit(RATE, System::nanoTime), watch::isWatching);
  }

  private void announce(HttpServer server) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.println("pods at " + server.uri() + "/v1/pods");
    out.flush();
    WatchLoop.ready();
  }

  private static void goOn(ClusterWatch watch, Optional<ClaimWatch> claimed)
      throws InterruptedException {
    WatchLoop loop = new WatchLoop("cluster and leases could not be compared");
    WatchLoop ofClaims = new WatchLoop("claims and leases could not be compared");
    while (true) {
      loop.look(watch::look);
      claimed.ifPresent(one -> ofClaims.look(one::look));
      watch.await();
    }
  }
}
