// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.outboard.kubernetes.resource.GpuLease;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Says what happened to a lease, as events of its resource and of the pods that own it. */
final class Herald {
  private static final String SOURCE = "outboard";

  /** Most characters of a message (Kubernetes, "Event"). */
  private static final int MOST_MESSAGE = 1024;

  private final KubernetesClient cluster;
  private final InstantSource clock;

  Herald(KubernetesClient cluster, InstantSource clock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  /**
   * Says something.
   *
   * @param warning whether somebody should look at it
   * @param reason a word for programs
   */
  void tell(GpuLease lease, boolean warning, String reason, String message) {
    for (ObjectReference about : about(lease)) {
      Event unused = cluster.resource(event(about, warning, reason, message)).create();
    }
  }

  private static List<ObjectReference> about(GpuLease lease) {
    String namespace = lease.getMetadata().getNamespace();
    List<ObjectReference> all = new ArrayList<>();
    all.add(
        new ObjectReferenceBuilder()
            .withApiVersion(lease.getApiVersion())
            .withKind(lease.getKind())
            .withNamespace(namespace)
            .withName(lease.getMetadata().getName())
            .withUid(lease.uid())
            .build());
    for (OwnerReference owner : lease.getMetadata().getOwnerReferences()) {
      if (owner.getKind().equals("Pod")) {
        all.add(
            new ObjectReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withNamespace(namespace)
                .withName(owner.getName())
                .withUid(owner.getUid())
                .build());
      }
    }
    return all;
  }

  private Event event(ObjectReference about, boolean warning, String reason, String message) {
    String now = clock.instant().toString();
    return new EventBuilder()
        .withNewMetadata()
        .withGenerateName(about.getName() + ".")
        .withNamespace(about.getNamespace())
        .endMetadata()
        .withInvolvedObject(about)
        .withType(warning ? "Warning" : "Normal")
        .withReason(reason)
        .withMessage(message.substring(0, Math.min(message.length(), MOST_MESSAGE)))
        .withFirstTimestamp(now)
        .withLastTimestamp(now)
        .withCount(1)
        .withNewSource()
        .withComponent(SOURCE)
        .endSource()
        .withReportingComponent(SOURCE)
        .build();
  }
}
