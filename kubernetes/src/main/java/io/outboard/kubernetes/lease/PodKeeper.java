// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.outboard.kubernetes.resource.GpuLease;
import io.outboard.kubernetes.resource.PodWish;
import io.outboard.kubernetes.resource.Words;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/** Makes the resources of pods that ask for GPUs, and takes them back from pods that are over. */
final class PodKeeper {
  private static final Set<String> OVER = Set.of("Succeeded", "Failed");

  private final KubernetesClient cluster;
  private final InstantSource clock;

  PodKeeper(KubernetesClient cluster, InstantSource clock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  /**
   * Looks at one pod.
   *
   * @param there the resource of the name that the pod says
   */
  void keep(Pod pod, Optional<GpuLease> there) {
    Optional<PodWish> wish = PodWish.of(pod.getMetadata().getAnnotations());
    if (isOver(pod)) {
      there.filter(lease -> isOf(lease, pod)).ifPresent(this::delete);
    } else if (wish.isPresent() && there.isEmpty()) {
      GpuLease unused = cluster.resource(lease(pod, wish.get())).create();
    }
  }

  /** One whose node is gone may never say that it has ended: its own time to end is over then. */
  private boolean isOver(Pod pod) {
    String phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
    String deletion = pod.getMetadata().getDeletionTimestamp();
    return OVER.contains(phase)
        || (deletion != null && Instant.parse(deletion).isBefore(clock.instant()));
  }

  private static boolean isOf(GpuLease lease, Pod pod) {
    String uid = pod.getMetadata().getUid();
    return lease.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> owner.getUid().equals(uid));
  }

  private void delete(GpuLease lease) {
    if (!lease.isDeleted()) {
      var unused = cluster.resource(lease).delete();
    }
  }

  private static GpuLease lease(Pod pod, PodWish wish) {
    GpuLease lease = new GpuLease();
    lease.setMetadata(
        new ObjectMetaBuilder()
            .withName(pod.getMetadata().getLabels().get(Words.LEASE))
            .withNamespace(pod.getMetadata().getNamespace())
            .withOwnerReferences(
                new OwnerReferenceBuilder()
                    .withApiVersion("v1")
                    .withKind("Pod")
                    .withName(pod.getMetadata().getName())
                    .withUid(pod.getMetadata().getUid())
                    .build())
            .build());
    lease.setSpec(wish.spec());
    return lease;
  }
}
