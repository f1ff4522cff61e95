// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.outboard.office.Lease;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.Set;

/** Secrets with the credentials of a lease. */
public final class Secrets {
  /** The field with the address of a lease's backend. */
  public static final String ADDRESS = "OUTBOARD";

  /** The field with the token of a lease. */
  public static final String TOKEN = "OUTBOARD_TOKEN";

  /** The communicators that reach another machine. */
  private static final Set<String> OF_PODS = Set.of("tls", "tcp");

  private Secrets() {}

  /**
   * One of a lease that has GPUs.
   *
   * @throws IOException if no pod can reach its backend
   */
  public static SecretBuilder of(String name, String namespace, Lease lease) throws IOException {
    return new SecretBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(namespace)
        .endMetadata()
        .withType("outboard.io/lease")
        .addToStringData(ADDRESS, endpoint(lease))
        .addToStringData(TOKEN, lease.token());
  }

  private static String endpoint(Lease lease) throws IOException {
    return lease.endpoints().stream()
        .filter(one -> OF_PODS.contains(one.split(":", 2)[0]))
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    "lease %s is on a node that listens at no tls:// and no tcp://"
                        .formatted(lease.id())));
  }

  /**
   * Writes one. One that is there is never read, as the client's own update and patch would do:
   * whatever it had, it has these then.
   */
  public static void apply(KubernetesClient cluster, Secret secret) {
    try {
      Secret unused = cluster.resource(secret).create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
      String unused = cluster.raw(path(secret.getMetadata()), "PUT", secret);
    }
  }

  private static String path(ObjectMeta secret) {
    return "/api/v1/namespaces/%s/secrets/%s".formatted(secret.getNamespace(), secret.getName());
  }
}
