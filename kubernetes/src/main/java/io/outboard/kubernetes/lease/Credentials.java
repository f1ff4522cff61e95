// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.outboard.kubernetes.resource.GpuLease;
import io.outboard.office.Lease;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The secrets with which pods use their leases. A secret goes with the resource that owns it, and
 * is worth nothing once the lease is over.
 */
final class Credentials {
  private final KubernetesClient cluster;
  private final Map<String, Map<String, String>> written = new HashMap<>();

  Credentials(KubernetesClient cluster) {
    this.cluster = cluster;
  }

  /**
   * Writes those of a lease that has GPUs, unless they are there.
   *
   * @throws IOException if no pod can reach its backend
   */
  void write(GpuLease owner, Lease lease) throws IOException {
    Secret secret = secret(owner, lease);
    if (!secret.getStringData().equals(written.get(owner.uid()))) {
      Secrets.apply(cluster, secret);
      written.put(owner.uid(), secret.getStringData());
    }
  }

  /** Forgets those of resources that are gone. */
  void retain(Set<String> uids) {
    written.keySet().retainAll(uids);
  }

  private static Secret secret(GpuLease owner, Lease lease) throws IOException {
    return Secrets.of(owner.secret(), owner.getMetadata().getNamespace(), lease)
        .editMetadata()
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.uid())
                .build())
        .endMetadata()
        .build();
  }
}
