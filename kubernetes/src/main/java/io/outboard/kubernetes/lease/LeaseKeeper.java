// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.outboard.kubernetes.resource.GpuLease;
import io.outboard.kubernetes.resource.GpuLeaseStatus;
import io.outboard.kubernetes.resource.Words;
import io.outboard.lease.account.Standing;
import io.outboard.office.Lease;
import io.outboard.office.rest.RestException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Keeps resources and their leases at the office alike. */
final class LeaseKeeper {
  /** How long somebody who was refused is not asked for again. */
  private static final Duration PAUSE = Duration.ofSeconds(30);

  private static final int CLIENT_ERROR = 400;
  private static final int SERVER_ERROR = 500;

  private final KubernetesClient cluster;
  private final ClusterOffice office;
  private final ClusterRules rules;
  private final Herald herald;
  private final Credentials credentials;
  private final InstantSource clock;
  private final Map<String, Instant> refused = new HashMap<>();

  LeaseKeeper(
      KubernetesClient cluster, ClusterOffice office, ClusterRules rules, InstantSource clock) {
    this.cluster = cluster;
    this.office = office;
    this.rules = rules;
    this.herald = new Herald(cluster, clock);
    this.credentials = new Credentials(cluster);
    this.clock = clock;
  }

  /**
   * Looks at one resource.
   *
   * @param known its leases at the office that are not over, of any tenant
   */
  void keep(GpuLease wanted, List<Lease> known) throws IOException {
    if (wanted.isDeleted()) {
      release(wanted, known);
      return;
    }
    Optional<Standing> standing = rules.namespace(wanted.getMetadata().getNamespace());
    if (standing.isEmpty()) {
      tell(wanted, Finding.refused("no rule grants GPUs to this namespace"));
    } else if (!wanted.getMetadata().getFinalizers().contains(Words.FINALIZER)) {
      // The lease is asked for once it cannot be forgotten.
      GpuLease copy = copy(wanted);
      copy.getMetadata().getFinalizers().add(Words.FINALIZER);
      GpuLease unused = cluster.resource(copy).update();
    } else {
      follow(wanted, standing.get(), own(known, standing.get()));
    }
  }

  /** Anybody may name this cluster in a lease of his own tenant: that is not the resource's. */
  private static List<Lease> own(List<Lease> known, Standing standing) {
    return known.stream().filter(one -> one.tenant().equals(standing.tenant())).toList();
  }

  private void follow(GpuLease wanted, Standing standing, List<Lease> own) throws IOException {
    if (own.isEmpty() && wanted.told().lease() != null) {
      end(wanted);
    } else if (own.isEmpty()) {
      ask(wanted, standing);
    } else {
      look(wanted, only(wanted, own));
    }
  }

  /** A request whose answer was lost may have been made twice. */
  private Lease only(GpuLease wanted, List<Lease> own) throws IOException {
    String told = wanted.told().lease();
    Lease kept =
        own.stream().filter(one -> one.id().equals(told)).findFirst().orElse(own.getFirst());
    for (Lease other : own) {
      if (!other.id().equals(kept.id())) {
        office.release(other, "its resource has another lease");
      }
    }
    return kept;
  }

  private void end(GpuLease wanted) throws IOException {
    if (wanted.told().phase() != GpuLeaseStatus.Phase.Ended) {
      String id = wanted.told().lease();
      tell(
          wanted,
          office
              .find(id)
              .map(Finding::of)
              .orElseGet(() -> Finding.over(id, "the lease office does not know it any more")));
    }
  }

  private void ask(GpuLease wanted, Standing standing) throws IOException {
    Instant now = clock.instant();
    if (now.isBefore(refused.getOrDefault(wanted.uid(), Instant.MIN))) {
      return;
    }
    try {
      look(wanted, office.request(wanted, standing));
    } catch (RestException e) {
      if (e.status() < CLIENT_ERROR || e.status() >= SERVER_ERROR) {
        throw e;
      }
      refused.put(wanted.uid(), now.plus(PAUSE));
      tell(wanted, Finding.refused(e.getMessage()));
    }
  }

  private void look(GpuLease wanted, Lease lease) throws IOException {
    Finding finding = Finding.of(lease);
    if (finding.isGranted() && isNew(wanted, finding)) {
      // A list has no tokens.
      Lease whole = office.find(lease.id()).orElse(lease);
      credentials.write(wanted, whole);
    }
    office.renew(lease, clock.instant());
    tell(wanted, finding);
  }

  private static boolean isNew(GpuLease wanted, Finding finding) {
    return finding.isNews(wanted.told()) || wanted.told().secret() == null;
  }

  private void tell(GpuLease wanted, Finding finding) {
    if (!finding.isNews(wanted.told())) {
      return;
    }
    GpuLease copy = copy(wanted);
    copy.setStatus(finding.status(wanted, clock.instant()));
    GpuLease unused = cluster.resource(copy).updateStatus();
    herald.tell(wanted, !finding.isGranted(), finding.reason(), finding.message());
  }

  private void release(GpuLease wanted, List<Lease> known) throws IOException {
    if (!wanted.getMetadata().getFinalizers().contains(Words.FINALIZER)) {
      return;
    }
    for (Lease lease : known) {
      office.release(lease, "its resource in the cluster is deleted");
      herald.tell(wanted, false, "LeaseReleased", "lease %s is released".formatted(lease.id()));
    }
    GpuLease copy = copy(wanted);
    List<String> others = new ArrayList<>(copy.getMetadata().getFinalizers());
    others.remove(Words.FINALIZER);
    copy.getMetadata().setFinalizers(others);
    GpuLease unused = cluster.resource(copy).update();
  }

  private GpuLease copy(GpuLease lease) {
    return cluster.getKubernetesSerialization().clone(lease);
  }

  /** Forgets resources that are gone. */
  void retain(Set<String> uids) {
    refused.keySet().retainAll(uids);
    credentials.retain(uids);
  }
}
