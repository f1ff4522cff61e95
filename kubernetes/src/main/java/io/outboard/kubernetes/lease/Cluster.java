// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.outboard.office.LeaseOffice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** A cluster, for those who know nothing of its client: the command has that for one who runs. */
public final class Cluster implements AutoCloseable {
  private final KubernetesClient client;

  private Cluster(Config config) {
    this.client = new KubernetesClientBuilder().withConfig(config).build();
  }

  /** That of a file, or the one in which this runs, or as {@code kubectl} finds it. */
  public static Cluster of(Optional<Path> kubeconfig) {
    return new Cluster(
        kubeconfig
            .map(file -> Config.fromKubeconfig(file.toFile()))
            .orElseGet(() -> new ConfigBuilder().build()));
  }

  /**
   * Begins to watch; what is there already is known when it returns.
   *
   * @param interval between looks where nothing changes
   * @throws IOException if the cluster does not answer, or refuses
   */
  public ClusterWatch watch(
      LeaseOffice office, ClusterRules rules, LeaseTerms terms, Duration interval)
      throws IOException {
    try {
      return new ClusterWatch(client, office, rules, terms, interval, InstantSource.system());
    } catch (KubernetesClientException e) {
      throw new IOException("the cluster refuses, or does not answer: " + e.getMessage(), e);
    }
  }

  /** Its client, for packages beside this one. */
  public KubernetesClient client() {
    return client;
  }

  @Override
  public void close() {
    client.close();
  }
}
