// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.offer;

import io.outboard.office.Device;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * GPUs of one name, as Placement and flavors have them.
 *
 * @param name the vendor's
 * @param arch its generation, as {@code hopper}; empty if it is not known
 * @param memory bytes of each
 * @param healthy how many leases can get
 * @param used how many of these have a lease or a session
 */
public record GpuModel(String name, String arch, long memory, long healthy, long used) {
  /** The class of resources: whole remote GPUs. */
  public static final String RESOURCE = "CUSTOM_REMOTE_GPU";

  /** The class of resources: memory of remote GPUs, in GiB. */
  public static final String MEMORY = "CUSTOM_REMOTE_GPU_MEMORY_GB";

  private static final String TRAIT = "CUSTOM_GPU_";
  private static final int MOST_TRAIT = 255;

  /** Those of a pool, by name. Slices are no GPUs. */
  public static TreeMap<String, GpuModel> of(Collection<Device> devices) {
    TreeMap<String, GpuModel> models = new TreeMap<>();
    devices.stream()
        .filter(device -> device.whole() && !device.model().isEmpty())
        .forEach(device -> models.merge(device.model(), one(device), GpuModel::and));
    return models;
  }

  private static GpuModel one(Device device) {
    return new GpuModel(
        device.model(),
        device.arch(),
        device.memory(),
        device.healthy() ? 1 : 0,
        device.healthy() && device.used() ? 1 : 0);
  }

  private GpuModel and(GpuModel other) {
    return new GpuModel(
        name, arch, Math.min(memory, other.memory), healthy + other.healthy, used + other.used);
  }

  /**
   * By which flavors find it: the whole name, each word of it that people say, such as {@code
   * CUSTOM_GPU_H200}, and the generation.
   */
  public Set<String> traits() {
    Set<String> traits = new TreeSet<>();
    traits.add(trait(name));
    for (String word : name.split("[^A-Za-z0-9]+", -1)) {
      if (word.matches("[A-Za-z]+[0-9]\\w*")) {
        traits.add(trait(word));
      }
    }
    if (!arch.isEmpty()) {
      traits.add(trait("ARCH_" + arch));
    }
    return traits;
  }

  /** A word as a trait: capitals, digits and underscores (Placement, "Traits"). */
  public static String trait(String word) {
    String plain =
        word.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_").replaceAll("^_|_$", "");
    return TRAIT + plain.substring(0, Math.min(plain.length(), MOST_TRAIT - TRAIT.length()));
  }
}
