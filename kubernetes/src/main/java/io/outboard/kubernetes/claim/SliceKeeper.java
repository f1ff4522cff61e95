// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.claim;

import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Keeps the slices of the pool as its places are: each change is another generation of all. */
final class SliceKeeper {
  /** Most devices of a slice (Kubernetes, "ResourceSlice"). */
  private static final int MOST_DEVICES = 128;

  private final KubernetesClient cluster;

  SliceKeeper(KubernetesClient cluster) {
    this.cluster = cluster;
  }

  /**
   * Publishes places, unless that has been done.
   *
   * @param all slices of the cluster
   */
  void keep(List<Device> places, List<ResourceSlice> all) {
    Map<String, ResourceSlice> there =
        all.stream()
            .filter(SliceKeeper::isOwn)
            .collect(Collectors.toMap(one -> one.getMetadata().getName(), Function.identity()));
    if (!isPublished(places, there)) {
      long last =
          there.values().stream()
              .mapToLong(one -> one.getSpec().getPool().getGeneration())
              .max()
              .orElse(0);
      publish(places, there, last + 1);
    }
  }

  static boolean isOwn(ResourceSlice slice) {
    return Driver.NAME.equals(slice.getSpec().getDriver())
        && Driver.POOL.equals(slice.getSpec().getPool().getName());
  }

  /** All of one generation, each place once, and in its order. */
  private static boolean isPublished(List<Device> places, Map<String, ResourceSlice> there) {
    List<Device> published =
        there.values().stream()
            .sorted(Comparator.comparing(SliceKeeper::number))
            .flatMap(one -> one.getSpec().getDevices().stream())
            .toList();
    boolean whole =
        there.values().stream()
                .allMatch(one -> one.getSpec().getPool().getResourceSliceCount() == there.size())
            && there.values().stream()
                    .map(one -> one.getSpec().getPool().getGeneration())
                    .distinct()
                    .count()
                == 1;
    return whole && published.equals(places);
  }

  private static int number(ResourceSlice slice) {
    String name = slice.getMetadata().getName();
    return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
  }

  private void publish(List<Device> places, Map<String, ResourceSlice> there, long generation) {
    List<List<Device>> parts = parts(places);
    for (int i = 0; i < parts.size(); i++) {
      String name = Driver.POOL + "-" + i;
      ResourceSlice slice = slice(name, parts.get(i), generation, parts.size());
      ResourceSlice before = there.remove(name);
      if (before == null) {
        ResourceSlice unused = cluster.resource(slice).create();
      } else {
        String version = before.getMetadata().getResourceVersion();
        slice.getMetadata().setResourceVersion(version);
        ResourceSlice unused = cluster.resource(slice).update();
      }
    }
    for (ResourceSlice old : there.values()) {
      var unused = cluster.resource(old).delete();
    }
  }

  /** One at least: a pool without a GPU is one too. */
  private static List<List<Device>> parts(List<Device> places) {
    List<List<Device>> parts = new ArrayList<>();
    int from = 0;
    do {
      int to = Math.min(places.size(), from + MOST_DEVICES);
      parts.add(places.subList(from, to));
      from = to;
    } while (from < places.size());
    return parts;
  }

  private static ResourceSlice slice(
      String name, List<Device> devices, long generation, long count) {
    return new ResourceSliceBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withDriver(Driver.NAME)
        .withAllNodes(true)
        .withNewPool(generation, Driver.POOL, count)
        .withDevices(devices)
        .endSpec()
        .build();
  }
}
