// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.outboard.kubernetes.resource.GpuLease;
import io.outboard.kubernetes.resource.Words;
import io.outboard.office.Lease;
import io.outboard.office.LeaseOffice;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Compares leases of the office with a cluster: soon after something of them has changed there, and
 * again and again. One thread looks, at all of them each time, so that nothing has to be remembered
 * of what was missed.
 */
public final class ClusterWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ClusterWatch.class.getName());

  /** In which further changes are seen by the same look. */
  private static final Duration REST = Duration.ofMillis(200);

  private final ClusterOffice office;
  private final LeaseKeeper leases;
  private final PodKeeper pods;
  private final InstantSource clock;
  private final Duration interval;
  private final Semaphore changed = new Semaphore(0);
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
    this.seenLeases = cluster.resources(GpuLease.class).inAnyNamespace().inform(new Bell<>());
    this.seenPods = cluster.pods().inAnyNamespace().withLabel(Words.LEASE).inform(new Bell<>());
  }

  /** The unique name of a cluster is that of its oldest namespace. */
  private static String name(KubernetesClient cluster) {
    return cluster.namespaces().withName("kube-system").require().getMetadata().getUid();
  }

  /** Has somebody look who waits. */
  private final class Bell<T> implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
      changed.release();
    }

    @Override
    public void onUpdate(T before, T after) {
      changed.release();
    }

    @Override
    public void onDelete(T object, boolean isUnknown) {
      changed.release();
    }
  }

  /** Waits for a change, or until it is time to look. */
  public void await() throws InterruptedException {
    if (changed.tryAcquire(interval.toMillis(), TimeUnit.MILLISECONDS)) {
      Thread.sleep(REST);
      int unused = changed.drainPermits();
    }
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

  /** Looks at some, and remembers the first failure. */
  private static final class Looking {
    private IOException failure;

    @FunctionalInterface
    private interface Step {
      void run() throws IOException;
    }

    void at(String what, Step step) {
      try {
        step.run();
      } catch (KubernetesClientException e) {
        // Somebody has changed or deleted it meanwhile: there is another look at once.
        if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
            && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
          failed(what, e);
        }
      } catch (IOException | IllegalArgumentException e) {
        failed(what, e);
      }
    }

    private void failed(String what, Exception e) {
      LOG.log(System.Logger.Level.DEBUG, what, e);
      if (failure == null) {
        failure = new IOException("%s: %s".formatted(what, e.getMessage()), e);
      }
    }

    void end() throws IOException {
      if (failure != null) {
        throw failure;
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
