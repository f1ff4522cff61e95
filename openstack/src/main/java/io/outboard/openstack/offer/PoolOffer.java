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

  private static final Inventory NOTHING = new Inventory(1, 1);

  private final Placement placement;
  private final Nova nova;
  private final OfferTerms terms;
  private final String prefix;
  private final Set<String> known = new HashSet<>();
  private volatile Map<String, Offered> offered = Map.of();

  public PoolOffer(Placement placement, Nova nova, OfferTerms terms) {
    this.placement = placement;
    this.nova = nova;
    this.terms = terms;
    this.prefix = "outboard/" + terms.pool() + "/";
  }

  /** The pool's providers, by their UUIDs, as last seen. */
  public Map<String, Offered> offered() {
    return offered;
  }

  /**
   * Brings Placement in step with the pool.
   *
   * @param there the models of the pool
   * @param machines how many GPUs virtual machines have now, by the name of what is offered
   * @return how many changes were made
   */
  public int keep(Map<String, GpuModel> there, Map<String, Long> machines) throws IOException {
    String hosts = nova.aggregate(terms.aggregate());
    Map<String, Offered> providers = new TreeMap<>();
    int changes = 0;
    for (GpuModel model : there.values()) {
      long shared = Math.min(terms.shared(), model.healthy());
      long others = others(model, shared, machines);
      changes += keep(model, Offered.of(model), model.healthy() - shared, others, hosts, providers);
      if (terms.shared() > 0) {
        changes += keep(model, Offered.memoryOf(model), shared, 0, hosts, providers);
      }
    }
    changes += empty(providers);
    offered = Map.copyOf(providers);
    return changes;
  }

  /** How many GPUs others than virtual machines use. */
  private static long others(GpuModel model, long shared, Map<String, Long> machines) {
    long whole = machines.getOrDefault(Offered.of(model).name(), 0L);
    long parts = machines.getOrDefault(Offered.memoryOf(model).name(), 0L);
    return Math.max(0, model.used() - whole - Math.min(parts, shared));
  }

  private int keep(
      GpuModel model,
      Offered one,
      long gpus,
      long others,
      String hosts,
      Map<String, Offered> providers)
      throws IOException {
    if (known.add(one.resource())) {
      placement.makeClass(one.resource());
    }
    Placement.Provider provider = placement.provider(prefix + one.name());
    providers.put(provider.uuid(), one);
    Set<String> traits = new TreeSet<>(model.traits());
    for (String trait : traits) {
      if (known.add(trait)) {
        placement.makeTrait(trait);
      }
    }
    traits.add(SHARING);
    Inventory inventory = inventory(one, gpus, others);
    return count(placement.setInventory(provider.uuid(), one.resource(), inventory))
        + count(placement.setTraits(provider.uuid(), traits))
        + count(placement.setAggregates(provider.uuid(), List.of(hosts)));
  }

  /** A total of 0 is none for Placement: then there is one, which nobody can have. */
  private Inventory inventory(Offered one, long gpus, long others) {
    long total = gpus * one.unit();
    return total == 0
        ? NOTHING
        : new Inventory(
            total,
            Math.min(others, gpus) * one.unit(),
            one.byMemory() ? one.unit() : total,
            terms.overcommit());
  }

  /** Providers of models that are gone offer nothing; machines may have some of them still. */
  private int empty(Map<String, Offered> present) throws IOException {
    int changes = 0;
    for (Placement.Provider provider : placement.providers(prefix)) {
      Offered gone = Offered.named(provider.name().substring(prefix.length()));
      if (present.putIfAbsent(provider.uuid(), gone) == null) {
        changes += count(placement.setInventory(provider.uuid(), gone.resource(), NOTHING));
      }
    }
    return changes;
  }

  private static int count(boolean changed) {
    return changed ? 1 : 0;
  }
}
