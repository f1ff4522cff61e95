// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.claim;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.outboard.kubernetes.lease.Secrets;
import io.outboard.office.Lease;
import io.outboard.office.LeaseOffice;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The credentials of claims, in the namespace of the service: drivers of nodes read them there, and
 * so need no right to secrets of other namespaces.
 */
final class ClaimSecrets {
  private final KubernetesClient cluster;
  private final LeaseOffice office;
  private final String namespace;
  private final Map<String, String> written = new HashMap<>();

  ClaimSecrets(KubernetesClient cluster, LeaseOffice office, String namespace) {
    this.cluster = cluster;
    this.office = office;
    this.namespace = namespace;
  }

  /**
   * Writes those of a claim, unless they are there.
   *
   * @param lease its id at the office
   */
  void write(String uid, String lease) throws IOException {
    if (lease.equals(written.get(uid))) {
      return;
    }
    Optional<Lease> whole = office.known(lease).filter(Lease::hasGpus);
    if (whole.isPresent()) {
      Secrets.apply(cluster, Secrets.of(Driver.name(uid), namespace, whole.get()).build());
      written.put(uid, lease);
    }
  }

  /** Removes those of claims that are gone. */
  void retain(Set<String> uids) {
    written.keySet().retainAll(uids);
    Set<String> names = uids.stream().map(Driver::name).collect(Collectors.toSet());
    for (Secret secret : cluster.secrets().inNamespace(namespace).list().getItems()) {
      String name = secret.getMetadata().getName();
      if (name.startsWith(Driver.name("")) && !names.contains(name)) {
        var unused = cluster.resource(secret).delete();
      }
    }
  }
}
