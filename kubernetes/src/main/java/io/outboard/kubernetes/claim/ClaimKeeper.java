// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.claim;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.outboard.kubernetes.resource.GpuLease;
import io.outboard.kubernetes.resource.GpuLeaseSpec;
import io.outboard.kubernetes.resource.GpuLeaseStatus;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Has a lease for each claim that the scheduler has given places of the pool: a {@link GpuLease}
 * that the claim owns, which is asked for, renewed and released as every other one.
 */
final class ClaimKeeper {
  private static final String CLAIM = "ResourceClaim";

  private final KubernetesClient cluster;
  private final ClaimSecrets secrets;
  private final InstantSource clock;

  ClaimKeeper(KubernetesClient cluster, ClaimSecrets secrets, InstantSource clock) {
    this.cluster = cluster;
    this.secrets = secrets;
    this.clock = clock;
  }

  /**
   * Looks at one claim.
   *
   * @param there the resource of the name that a claim's lease has
   * @param places of the pool, by their names
   */
  void keep(ResourceClaim claim, Optional<GpuLease> there, Map<String, Device> places)
      throws IOException {
    Optional<GpuLease> lease = there.filter(one -> isOf(one, claim));
    List<DeviceRequestAllocationResult> results = Driver.results(claim);
    if (results.isEmpty() || claim.getMetadata().getDeletionTimestamp() != null) {
      lease.ifPresent(this::delete);
    } else if (lease.isPresent() && isForOthers(lease.get(), results, places)) {
      delete(lease.get());
    } else if (lease.isPresent()) {
      follow(claim, lease.get());
    } else if (there.isPresent()) {
      tell(claim, new ClaimStatus(false, true, "LeaseRefused", "its name is another one's"));
    } else {
      lease(claim, results, places);
    }
  }

  private static boolean isOf(GpuLease lease, ResourceClaim claim) {
    return owner(lease).equals(Optional.of(claim.getMetadata().getUid()));
  }

  /** The unique name of the claim that owns a resource. */
  private static Optional<String> owner(GpuLease lease) {
    return lease.getMetadata().getOwnerReferences().stream()
        .filter(owner -> owner.getKind().equals(CLAIM))
        .map(OwnerReference::getUid)
        .findFirst();
  }

  /** Ends leases of claims that are gone, as the cluster's collector of garbage does later. */
  void retain(Set<String> uids, Collection<GpuLease> all) {
    all.stream()
        .filter(lease -> owner(lease).filter(uid -> !uids.contains(uid)).isPresent())
        .forEach(this::delete);
  }

  /** The scheduler has taken the places back, and has given others. */
  private static boolean isForOthers(
      GpuLease lease, List<DeviceRequestAllocationResult> results, Map<String, Device> places) {
    try {
      return !ClaimedGpus.spec(results, places).equals(lease.getSpec());
    } catch (IllegalArgumentException e) {
      // A place that the pool has no more: what was leased there goes on.
      return false;
    }
  }

  private void delete(GpuLease lease) {
    if (!lease.isDeleted()) {
      var unused = cluster.resource(lease).delete();
    }
  }

  private void lease(
      ResourceClaim claim,
      List<DeviceRequestAllocationResult> results,
      Map<String, Device> places) {
    try {
      GpuLeaseSpec spec = ClaimedGpus.spec(results, places);
      GpuLease unused = cluster.resource(lease(claim, spec)).create();
    } catch (IllegalArgumentException e) {
      tell(claim, new ClaimStatus(false, true, "LeaseRefused", e.getMessage()));
    }
  }

  private static GpuLease lease(ResourceClaim claim, GpuLeaseSpec spec) {
    String uid = claim.getMetadata().getUid();
    GpuLease lease = new GpuLease();
    lease.setMetadata(
        new ObjectMetaBuilder()
            .withName(Driver.name(uid))
            .withNamespace(claim.getMetadata().getNamespace())
            .withOwnerReferences(
                new OwnerReferenceBuilder()
                    .withApiVersion(claim.getApiVersion())
                    .withKind(CLAIM)
                    .withName(claim.getMetadata().getName())
                    .withUid(uid)
                    .build())
            .build());
    lease.setSpec(spec);
    return lease;
  }

  /** The node's driver finds credentials before any pod is bound. */
  private void follow(ResourceClaim claim, GpuLease lease) throws IOException {
    GpuLeaseStatus told = lease.told();
    if (told.phase() == GpuLeaseStatus.Phase.Granted) {
      secrets.write(claim.getMetadata().getUid(), told.lease());
    }
    tell(claim, status(told));
  }

  private static ClaimStatus status(GpuLeaseStatus told) {
    Optional<Condition> condition = told.conditions().stream().findFirst();
    String reason = condition.map(Condition::getReason).orElse("WaitingForGpu");
    String message = condition.map(Condition::getMessage).orElse("it is asked for");
    return switch (told.phase()) {
      case Granted, Suspended -> new ClaimStatus(true, false, reason, message);
      case Refused, Ended -> new ClaimStatus(false, true, reason, message);
      case Pending -> new ClaimStatus(false, false, reason, message);
      case null -> new ClaimStatus(false, false, reason, message);
    };
  }

  private void tell(ResourceClaim claim, ClaimStatus status) {
    ResourceClaim copy = cluster.getKubernetesSerialization().clone(claim);
    if (status.write(copy, clock.instant())) {
      ResourceClaim unused = cluster.resource(copy).updateStatus();
    }
  }
}
