// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.claim;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.outboard.kubernetes.lease.Bell;
import io.outboard.kubernetes.lease.Cluster;
import io.outboard.kubernetes.lease.Looking;
import io.outboard.kubernetes.resource.GpuLease;
import io.outboard.office.LeaseOffice;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Compares claims of a cluster with the pool, and with the resources that are their leases. */
public final class ClaimWatch implements AutoCloseable {
  private final LeaseOffice office;
  private final SliceKeeper slices;
  private final ClaimKeeper claims;
  private final ClaimSecrets secrets;
  private final SharedIndexInformer<ResourceSlice> seenSlices;
  private final SharedIndexInformer<ResourceClaim> seenClaims;
  private final SharedIndexInformer<GpuLease> seenLeases;

  /** Places that the pool once had: a claim may have one still. */
  private final Map<String, Device> places = new HashMap<>();

  ClaimWatch(
      KubernetesClient cluster,
      LeaseOffice office,
      String namespace,
      Bell bell,
      InstantSource clock) {
    this.office = office;
    this.slices = new SliceKeeper(cluster);
    this.secrets = new ClaimSecrets(cluster, office, namespace);
    this.claims = new ClaimKeeper(cluster, secrets, clock);
    this.seenSlices = cluster.resources(ResourceSlice.class).inform(bell.handler());
    this.seenClaims =
        cluster.resources(ResourceClaim.class).inAnyNamespace().inform(bell.handler());
    this.seenLeases = cluster.resources(GpuLease.class).inAnyNamespace().inform(bell.handler());
  }

  /**
   * Begins to watch; what is there already is known when it returns.
   *
   * @param namespace in which drivers of nodes find credentials
   * @param bell rung where something changes
   * @throws IOException if the cluster does not answer, or has no claims
   */
  public static ClaimWatch of(Cluster cluster, LeaseOffice office, String namespace, Bell bell)
      throws IOException {
    try {
      return new ClaimWatch(cluster.client(), office, namespace, bell, InstantSource.system());
    } catch (KubernetesClientException e) {
      throw new IOException(
          "the cluster has no claims of resource.k8s.io/v1, or refuses: " + e.getMessage(), e);
    }
  }

  /**
   * Looks at the pool and all claims once.
   *
   * @throws IOException if the office does not answer, or some of them could not be looked at: the
   *     others were
   */
  public void look() throws IOException {
    List<ResourceClaim> all = seenClaims.getStore().list();
    Looking looking = new Looking();
    looking.at("slices of the pool", () -> publish(all));
    Map<String, GpuLease> leases =
        seenLeases.getStore().list().stream().collect(toMap(GpuLease::label, one -> one));
    for (ResourceClaim claim : all) {
      Optional<GpuLease> lease = Optional.ofNullable(leases.get(label(claim)));
      looking.at("claim " + label(claim), () -> claims.keep(claim, lease, places));
    }
    Set<String> uids = all.stream().map(one -> one.getMetadata().getUid()).collect(toSet());
    looking.at("leases of claims", () -> claims.retain(uids, leases.values()));
    looking.at("secrets of claims", () -> secrets.retain(uids));
    looking.end();
  }

  private void publish(List<ResourceClaim> all) throws IOException {
    Set<String> taken =
        all.stream()
            .flatMap(claim -> Driver.results(claim).stream())
            .map(result -> result.getDevice())
            .collect(toSet());
    List<ResourceSlice> there = seenSlices.getStore().list();
    places.keySet().retainAll(taken);
    there.stream()
        .filter(SliceKeeper::isOwn)
        .flatMap(slice -> slice.getSpec().getDevices().stream())
        .forEach(place -> places.put(place.getName(), place));
    List<Device> now = Places.of(office.devices(), taken);
    now.forEach(place -> places.put(place.getName(), place));
    slices.keep(now, there);
  }

  private static String label(ResourceClaim claim) {
    return claim.getMetadata().getNamespace() + "/" + Driver.name(claim.getMetadata().getUid());
  }

  @Override
  public void close() {
    seenSlices.close();
    seenClaims.close();
    seenLeases.close();
  }
}
