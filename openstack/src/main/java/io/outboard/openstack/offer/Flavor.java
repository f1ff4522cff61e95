// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.offer;

import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * A flavor whose machines have remote GPUs.
 *
 * @param name as {@code cg1.xlarge}
 * @param ram MiB
 * @param disk GiB
 * @param gpus how many
 * @param memory GiB of one GPU; 0 for whole ones
 * @param model part of the GPUs' name, which is a word of it or all of it
 */
public record Flavor(
    String name, long vcpus, long ram, long disk, long gpus, long memory, String model) {
  private static final int MIB_BITS = 20;
  private static final int GIB_BITS = 30;

  /**
   * The keys: Placement's, which the scheduler reads, and those that people and the tools of EGI
   * read (cASO and cloud-info-provider, with these capitals).
   *
   * @param pool the models that there are
   * @throws IllegalArgumentException if none of them is meant, or the GPUs or their memory are too
   *     much
   */
  public SequencedMap<String, String> specs(Map<String, GpuModel> pool) {
    String trait = GpuModel.trait(model);
    List<GpuModel> meant =
        pool.values().stream().filter(one -> one.traits().contains(trait)).toList();
    if (meant.isEmpty()) {
      throw new IllegalArgumentException(
          "the pool has no GPU '%s', but: %s".formatted(model, String.join(", ", pool.keySet())));
    }
    long most = meant.stream().mapToLong(GpuModel::healthy).max().orElse(0);
    if (gpus > most) {
      throw new IllegalArgumentException(
          "a machine cannot have %d GPUs of the pool's %d".formatted(gpus, most));
    }
    // A machine may get any model that has the trait: what is promised is the least.
    long all = meant.stream().mapToLong(GpuModel::memory).min().orElse(0);
    SequencedMap<String, String> specs = new TreeMap<>();
    specs.putAll(resources(all >> GIB_BITS));
    specs.put("trait:" + trait, "required");
    specs.put("Accelerator:Type", "GPU");
    specs.put("Accelerator:Vendor", vendor(meant.getFirst().name()));
    specs.put("Accelerator:Model", meant.size() == 1 ? meant.getFirst().name() : model);
    specs.put("Accelerator:Number", Long.toString(gpus));
    long mib = memory == 0 ? all >> MIB_BITS : memory << (GIB_BITS - MIB_BITS);
    specs.put("Accelerator:Memory", Long.toString(mib));
    specs.put("Accelerator:VirtualizationType", "remote");
    return specs;
  }

  private Map<String, String> resources(long most) {
    if (memory == 0) {
      return Map.of("resources:" + GpuModel.RESOURCE, Long.toString(gpus));
    }
    if (gpus != 1 || memory > most) {
      throw new IllegalArgumentException(
          "a machine with a part of a GPU has one, and %d GiB of it at most".formatted(most));
    }
    return Map.of("resources:" + GpuModel.MEMORY, Long.toString(memory));
  }

  private static String vendor(String name) {
    return name.split(" ", 2)[0];
  }

  /** The command of OpenStack's client that makes it, for a shell. */
  public String command(Map<String, String> specs) {
    StringBuilder line =
        new StringBuilder(
            "openstack flavor create --vcpus %d --ram %d --disk %d".formatted(vcpus, ram, disk));
    specs.forEach(
        (key, value) ->
            line.append(" \\\n  --property ")
                .append(quoted(key))
                .append('=')
                .append(quoted(value)));
    return line.append(" \\\n  ").append(quoted(name)).toString();
  }

  private static String quoted(String word) {
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
