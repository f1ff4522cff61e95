// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.claim;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttributeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacityBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The GPUs of a pool as devices of slices. A device is a place to use one of a model, and no
 * certain one: which it is, and whether it is free, is the lease office's to say. A claim has all
 * of it, or some of its memory.
 */
final class Places {
  static final String MODEL = "model";
  static final String MEMORY = "memory";

  private static final int GIB_BITS = 30;
  private static final String STEP = "1Gi";

  // Bounds of names and attributes (Kubernetes, "ResourceSlice").
  private static final int MOST_NAME = 48;
  private static final int MOST_TEXT = 64;

  private Places() {}

  /**
   * Makes them.
   *
   * @param taken names of places that claims have: where GPUs go, free places go first
   */
  static List<Device> of(Collection<io.outboard.office.Device> gpus, Set<String> taken) {
    Map<String, List<io.outboard.office.Device>> kinds = new LinkedHashMap<>();
    for (io.outboard.office.Device gpu : gpus) {
      if (gpu.whole() && gpu.healthy() && gibibytes(gpu) > 0) {
        kinds.computeIfAbsent(kind(gpu), _ -> new ArrayList<>()).add(gpu);
      }
    }
    List<Device> places = new ArrayList<>();
    kinds.forEach(
        (kind, some) -> {
          for (int number : numbers(kind, some.size(), taken)) {
            places.add(place(kind + "-" + number, some.getFirst()));
          }
        });
    return places;
  }

  /** Those that are taken, then the lowest, in their order. */
  private static List<Integer> numbers(String kind, int count, Set<String> taken) {
    List<Integer> numbers = new ArrayList<>();
    for (boolean wanted : new boolean[] {true, false}) {
      for (int i = 0; i < count + taken.size() && numbers.size() < count; i++) {
        if (taken.contains(kind + "-" + i) == wanted) {
          numbers.add(i);
        }
      }
    }
    return numbers.stream().sorted().toList();
  }

  private static long gibibytes(io.outboard.office.Device gpu) {
    return gpu.memory() >> GIB_BITS;
  }

  /** The beginning of the names of all places of a kind. */
  private static String kind(io.outboard.office.Device gpu) {
    String name = gpu.model().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String cut = name.substring(0, Math.min(name.length(), MOST_NAME)).replaceAll("^-|-$", "");
    return (cut.isEmpty() ? "gpu" : cut) + "-" + gibibytes(gpu) + "g";
  }

  private static Device place(String name, io.outboard.office.Device gpu) {
    DeviceBuilder place =
        new DeviceBuilder()
            .withName(name)
            .withAllowMultipleAllocations(true)
            .withBindsToNode(true)
            .withBindingConditions(Driver.LEASED)
            .withBindingFailureConditions(Driver.REFUSED)
            .addToAttributes(MODEL, text(gpu.model()))
            .addToCapacity(MEMORY, memory(gibibytes(gpu)));
    return gpu.arch().isEmpty()
        ? place.build()
        : place.addToAttributes("arch", text(gpu.arch())).build();
  }

  private static DeviceAttribute text(String value) {
    return new DeviceAttributeBuilder()
        .withString(value.substring(0, Math.min(value.length(), MOST_TEXT)))
        .build();
  }

  /** A claim that says nothing of memory has all of it, and so the GPU alone. */
  private static DeviceCapacity memory(long gibibytes) {
    Quantity all = new Quantity(gibibytes + "Gi");
    return new DeviceCapacityBuilder()
        .withValue(all)
        .withNewRequestPolicy()
        .withDefault(all)
        .withNewValidRange()
        .withMin(new Quantity(STEP))
        .withStep(new Quantity(STEP))
        .endValidRange()
        .endRequestPolicy()
        .build();
  }
}
