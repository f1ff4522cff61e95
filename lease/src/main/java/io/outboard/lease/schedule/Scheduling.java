// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.Load;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which of the leases that wait are granted now, and with which devices.
 *
 * <p>Higher priorities come first; among equals the tenant that holds least; among those who came
 * first. One that does not fit keeps the devices that it waits for from those behind it, so that it
 * is not passed by for ever; devices that it cannot use are not kept.
 */
public final class Scheduling {
  /**
   * A lease that gets devices.
   *
   * @param lease as it waits
   */
  public record Grant(Lease lease, List<Gpu> gpus) {}

  private final List<Gpu> gpus;
  private final Map<GpuId, Load> loads;
  private final Map<String, Integer> held;

  private Scheduling(List<Gpu> gpus, List<Lease> holding) {
    this.gpus = gpus;
    this.loads = loads(holding);
    this.held = held(holding);
  }

  /**
   * Chooses.
   *
   * @param holding the leases that have devices
   */
  public static List<Grant> grants(List<Gpu> gpus, List<Lease> holding, List<Lease> waiting) {
    return new Scheduling(gpus, holding).grants(new ArrayList<>(waiting));
  }

  /** Those that wait, in the order in which devices are offered to them as things are. */
  public static List<Lease> order(List<Lease> holding, List<Lease> waiting) {
    return waiting.stream().sorted(new Scheduling(List.of(), holding).order()).toList();
  }

  private static List<Lease> occupying(List<Lease> leases) {
    return leases.stream().filter(lease -> lease.state().occupies()).toList();
  }

  /** The parts of each device that are given away, by its id. */
  public static Map<GpuId, Load> loads(List<Lease> holding) {
    Map<GpuId, Load> loads = new HashMap<>();
    for (Lease lease : occupying(holding)) {
      for (Gpu gpu : lease.gpus()) {
        loads.put(gpu.id(), Load.of(loads, gpu).plus(lease.request(), gpu));
      }
    }
    return loads;
  }

  /** The shares that each tenant has of all devices, by the tenants' names. */
  private static Map<String, Integer> held(List<Lease> holding) {
    Map<String, Integer> held = new HashMap<>();
    for (Lease lease : occupying(holding)) {
      held.merge(lease.tenant(), lease.request().share() * lease.gpus().size(), Integer::sum);
    }
    return held;
  }

  /** Each grant changes who holds least, and so the order. */
  private List<Grant> grants(List<Lease> waiting) {
    List<Grant> grants = new ArrayList<>();
    Set<GpuId> kept = new HashSet<>();
    while (!waiting.isEmpty() && kept.size() < gpus.size()) {
      Lease lease = waiting.stream().min(order()).orElseThrow();
      waiting.remove(lease);
      List<Gpu> free = gpus.stream().filter(gpu -> !kept.contains(gpu.id())).toList();
      LeaseRequest request = lease.request();
      Optional<List<Gpu>> chosen = request.placement().choose(free, loads, request);
      if (chosen.isPresent()) {
        grants.add(new Grant(lease, chosen.get()));
        give(request, chosen.get());
      } else {
        gpus.stream().filter(request::fits).map(Gpu::id).forEach(kept::add);
      }
    }
    return grants;
  }

  private void give(LeaseRequest request, List<Gpu> chosen) {
    for (Gpu gpu : chosen) {
      loads.put(gpu.id(), Load.of(loads, gpu).plus(request, gpu));
    }
    held.merge(request.tenant(), request.share() * chosen.size(), Integer::sum);
  }

  private Comparator<Lease> order() {
    return Comparator.<Lease>comparingInt(lease -> -lease.request().priority())
        .thenComparingInt(lease -> held.getOrDefault(lease.tenant(), 0))
        .thenComparing(Lease::requested)
        .thenComparing(Lease::id);
  }
}
