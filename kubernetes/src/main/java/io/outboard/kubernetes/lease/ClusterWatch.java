// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.outboard.kubernetes.resource.GpuLease;
import io.outboard.kubernetes.resource.Words;
import io.outboard.office.Lease;
import io.outboard.office.LeaseOffice;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares leases of the office with a cluster: soon after something of them has changed there, and
 * again and again. One thread looks, at all of them each time, so that nothing has to be remembered
 * of what was missed.
 */
public final class ClusterWatch implements AutoCloseable {
  private final ClusterOffice office;
  private final LeaseKeeper leases;
  private final PodKeeper pods;
  private final InstantSource clock;
  private final Duration interval;
  private final Bell bell = new Bell();
  private final Map<String, Instant> orphans = new HashMap<>();
  private final SharedIndexInformer<GpuLease> seenLeases;
  private final SharedIndexInformer<Pod> seenPods;

  /**
   * Begins to watch; what is there already is known when it returns.
   *
   * @param interval between looks where nothing changes
   * @throws KubernetesClientException if the cluster does not answer, or refuses
   */
  ClusterWatch(
      KubernetesClient cluster,
      LeaseOffice office,
      ClusterRules rules,
      LeaseTerms terms,
      Duration interval,
      InstantSource clock) {
    this.office = new ClusterOffice(office, name(cluster), terms);
    this.leases = new LeaseKeeper(cluster, this.office, rules, clock);
    this.pods = new PodKeeper(cluster, clock);
    this.clock = clock;
    this.interval = interval;
    this.seenLeases = cluster.resources(GpuLease.class).inAnyNamespace().inform(bell.handler());
    this.seenPods = cluster.pods().inAnyNamespace().withLabel(Words.LEASE).inform(bell.handler());
  }

  /** The unique name of a cluster is that of its oldest namespace. */
  private static String name(KubernetesClient cluster) {
    return cluster.namespaces().withName("kube-system").require().getMetadata().getUid();
  }

  /** Rung where something changes; others may ring it too. */
  public Bell bell() {
    return bell;
  }

  /** Waits for a change, or until it is time to look. */
  public void await() throws InterruptedException {
    bell.await(interval);
  }

  /**
   * Looks at all pods and leases once.
   *
   * @throws IOException if the office does not answer, or some of them could not be looked at: the
   *     others were
   */
  public void look() throws IOException {
    Map<String, List<Lease>> known = office.leases();
    Looking looking = new Looking();
    Map<String, GpuLease> named =
        seenLeases.getStore().list().stream().collect(toMap(GpuLease::label, one -> one));
    for (Pod pod : seenPods.getStore().list()) {
      looking.at("pod " + pod.getMetadata().getName(), () -> pods.keep(pod, lease(named, pod)));
    }
    for (GpuLease lease : named.values()) {
      List<Lease> own = known.getOrDefault(lease.uid(), List.of());
      looking.at("GpuLease " + lease.label(), () -> leases.keep(lease, own));
    }
    Set<String> uids = named.values().stream().map(GpuLease::uid).collect(toSet());
    leases.retain(uids);
    looking.at("leases without a resource", () -> releaseOrphans(known, uids));
    looking.end();
  }

  private static Optional<GpuLease> lease(Map<String, GpuLease> named, Pod pod) {
    String name = pod.getMetadata().getLabels().get(Words.LEASE);
    return Optional.ofNullable(named.get(pod.getMetadata().getNamespace() + "/" + name));
  }

  /** A resource that somebody has freed from its finalizer by hand leaves its lease behind. */
  private void releaseOrphans(Map<String, List<Lease>> known, Set<String> uids) throws IOException {
    Instant now = clock.instant();
    orphans.keySet().retainAll(known.keySet());
    orphans.keySet().removeAll(uids);
    for (Map.Entry<String, List<Lease>> one : known.entrySet()) {
      if (!uids.contains(one.getKey())) {
        Instant since = orphans.computeIfAbsent(one.getKey(), _ -> now);
        if (!now.isBefore(since.plus(interval))) {
          for (Lease lease : one.getValue()) {
            office.release(lease, "its resource in the cluster is gone");
          }
        }
      }
    }
  }

  /** Whether it watches; a watch that was lost is begun again by itself. */
  public boolean isWatching() {
    return seenLeases.isWatching() && seenPods.isWatching();
  }

  @Override
  public void close() {
    seenLeases.close();
    seenPods.close();
  }
}
