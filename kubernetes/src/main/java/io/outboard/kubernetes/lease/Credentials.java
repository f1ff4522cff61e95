// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.outboard.kubernetes.resource.GpuLease;
import io.outboard.office.Lease;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The secrets with which pods use their leases. A secret goes with the resource that owns it, and
 * is worth nothing once the lease is over.
 */
final class Credentials {
  /** The communicators that reach another machine. */
  private static final Set<String> OF_PODS = Set.of("tls", "tcp");

  private final KubernetesClient cluster;
  private final Map<String, String> written = new HashMap<>();

  Credentials(KubernetesClient cluster) {
    this.cluster = cluster;
  }

  /**
   * Writes those of a lease that has GPUs, unless they are there.
   *
   * @throws IOException if no pod can reach its backend
   */
  void write(GpuLease owner, Lease lease) throws IOException {
    String endpoint = endpoint(lease);
    String said = endpoint + " " + lease.token();
    if (said.equals(written.get(owner.uid()))) {
      return;
    }
    apply(secret(owner, endpoint, lease.token()));
    written.put(owner.uid(), said);
  }

  /**
   * One that is there is never read, as the client's own update and patch would do: whatever it
   * had, it has these credentials then.
   */
  private void apply(Secret secret) {
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

  /** Forgets those of resources that are gone. */
  void retain(Set<String> uids) {
    written.keySet().retainAll(uids);
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

  private static Secret secret(GpuLease owner, String endpoint, String token) {
    return new SecretBuilder()
        .withNewMetadata()
        .withName(owner.secret())
        .withNamespace(owner.getMetadata().getNamespace())
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.uid())
                .build())
        .endMetadata()
        .withType("outboard.io/lease")
        .addToStringData("OUTBOARD", endpoint)
        .addToStringData("OUTBOARD_TOKEN", token)
        .build();
  }
}
