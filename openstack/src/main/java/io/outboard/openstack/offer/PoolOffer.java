// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.offer;

import io.outboard.openstack.cloud.Nova;
import io.outboard.openstack.cloud.Placement;
import io.outboard.openstack.cloud.Placement.Inventory;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The pool in Placement: a sharing resource provider for each model of GPU, since a provider's
 * traits are those of all that it has. Its inventory is the healthy GPUs. GPUs that others than
 * virtual machines use are reserved there, so that no flavor counts on them.
 */
public final class PoolOffer {
  private static final String SHARING = "MISC_SHARES_VIA_AGGREGATE";

  private final Placement placement;
  private final Nova nova;
  private final String prefix;
  private final String aggregate;
  private final Set<String> known = new HashSet<>();
  private volatile Map<String, String> models = Map.of();

  /**
   * Makes one.
   *
   * @param pool its name among the pools of the cloud
   * @param aggregate of Nova's hosts whose machines may have the GPUs, by its name
   */
  public PoolOffer(Placement placement, Nova nova, String pool, String aggregate) {
    this.placement = placement;
    this.nova = nova;
    this.prefix = "outboard/" + pool + "/";
    this.aggregate = aggregate;
  }

  /** The models of the pool's providers, by the providers' UUIDs, as last seen. */
  public Map<String, String> models() {
    return models;
  }

  /**
   * Brings Placement in step with the pool.
   *
   * @param there the models of the pool
   * @param machines how many GPUs of each model virtual machines have leased
   * @return how many changes were made
   */
  public int keep(Map<String, GpuModel> there, Map<String, Long> machines) throws IOException {
    if (known.add(GpuModel.RESOURCE)) {
      placement.makeClass(GpuModel.RESOURCE);
    }
    String hosts = nova.aggregate(aggregate);
    Map<String, String> providers = new TreeMap<>();
    int changes = 0;
    for (GpuModel model : there.values()) {
      Placement.Provider provider = placement.provider(prefix + model.name());
      providers.put(provider.uuid(), model.name());
      changes += keep(provider, model, machines.getOrDefault(model.name(), 0L), hosts);
    }
    changes += empty(providers);
    models = Map.copyOf(providers);
    return changes;
  }

  private int keep(Placement.Provider provider, GpuModel model, long machines, String hosts)
      throws IOException {
    Set<String> traits = new TreeSet<>(model.traits());
    for (String trait : traits) {
      if (known.add(trait)) {
        placement.makeTrait(trait);
      }
    }
    traits.add(SHARING);
    long others = Math.max(0, model.used() - machines);
    return count(placement.setInventory(provider.uuid(), GpuModel.RESOURCE, of(model, others)))
        + count(placement.setTraits(provider.uuid(), traits))
        + count(placement.setAggregates(provider.uuid(), List.of(hosts)));
  }

  /** A total of 0 is none for Placement: then there is one, which nobody can have. */
  private static Inventory of(GpuModel model, long others) {
    return model.healthy() == 0
        ? new Inventory(1, 1)
        : new Inventory(model.healthy(), Math.min(others, model.healthy()));
  }

  /** Providers of models that are gone offer nothing; machines may have some of them still. */
  private int empty(Map<String, String> present) throws IOException {
    int changes = 0;
    for (Placement.Provider provider : placement.providers(prefix)) {
      String name = provider.name().substring(prefix.length());
      if (present.putIfAbsent(provider.uuid(), name) == null) {
        changes +=
            count(placement.setInventory(provider.uuid(), GpuModel.RESOURCE, new Inventory(1, 1)));
      }
    }
    return changes;
  }

  private static int count(boolean changed) {
    return changed ? 1 : 0;
  }
}
