// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.claim;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.outboard.kubernetes.lease.Cluster;
import io.outboard.kubernetes.lease.Secrets;
import io.outboard.kubernetes.plugin.ClaimSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Claims as a node's driver asks the cluster for them, one at a time and as they are now. */
public final class ClusterClaims implements ClaimSource {
  private final KubernetesClient cluster;
  private final String namespace;

  ClusterClaims(KubernetesClient cluster, String namespace) {
    this.cluster = cluster;
    this.namespace = namespace;
  }

  /**
   * Makes it.
   *
   * @param namespace in which the service keeps credentials of claims
   */
  public static ClusterClaims of(Cluster cluster, String namespace) {
    return new ClusterClaims(cluster.client(), namespace);
  }

  @Override
  public Prepared find(String claims, String name, String uid) throws IOException {
    try {
      ResourceClaim claim =
          cluster.resources(ResourceClaim.class).inNamespace(claims).withName(name).get();
      if (claim == null || !uid.equals(claim.getMetadata().getUid())) {
        throw new IOException(
            "there is no claim %s/%s of that unique name".formatted(claims, name));
      }
      List<Place> places = Driver.results(claim).stream().map(ClusterClaims::place).toList();
      if (places.isEmpty()) {
        throw new IOException("claim %s/%s has no GPU of the pool".formatted(claims, name));
      }
      return new Prepared(places, variables(uid));
    } catch (KubernetesClientException e) {
      throw new IOException("the cluster refuses, or does not answer: " + e.getMessage(), e);
    }
  }

  private static Place place(DeviceRequestAllocationResult result) {
    return new Place(
        result.getRequest(),
        result.getPool(),
        result.getDevice(),
        Optional.ofNullable(result.getShareID()).orElse(""));
  }

  private Map<String, String> variables(String uid) throws IOException {
    Secret secret = cluster.secrets().inNamespace(namespace).withName(Driver.name(uid)).get();
    if (secret == null) {
      throw new IOException("the claim's lease has no GPUs yet");
    }
    return Map.of(
        Secrets.ADDRESS, text(secret, Secrets.ADDRESS),
        Secrets.TOKEN, text(secret, Secrets.TOKEN));
  }

  private static String text(Secret secret, String field) throws IOException {
    Map<String, String> data = secret.getData();
    if (data == null || !data.containsKey(field)) {
      throw new IOException("the claim's credentials cannot be read");
    }
    return new String(Base64.getDecoder().decode(data.get(field)), StandardCharsets.UTF_8);
  }
}
