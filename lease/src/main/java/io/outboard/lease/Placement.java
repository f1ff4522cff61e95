// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** How devices are chosen for a lease. */
public enum Placement {
  /** The fullest that have room: whole devices stay free for leases that want whole ones. */
  PACK,
  /** The emptiest: a lease that shares a device shares it with as few as possible. */
  SPREAD;

  /**
   * Chooses devices of one node; none where there is not enough room.
   *
   * @param loads what is given away, by the devices' ids
   */
  public Optional<List<Gpu>> choose(List<Gpu> gpus, Map<GpuId, Load> loads, LeaseRequest request) {
    Map<String, List<Gpu>> nodes =
        gpus.stream()
            .filter(request::fits)
            .filter(gpu -> Load.of(loads, gpu).hasRoom(request, gpu))
            .sorted(order(loads))
            .collect(Collectors.groupingBy(Gpu::node, LinkedHashMap::new, Collectors.toList()));
    return nodes.values().stream()
        .filter(free -> free.size() >= request.gpus())
        .findFirst()
        .map(free -> List.copyOf(free.subList(0, request.gpus())));
  }

  private Comparator<Gpu> order(Map<GpuId, Load> loads) {
    Comparator<Gpu> emptiest =
        Comparator.<Gpu>comparingInt(gpu -> Load.of(loads, gpu).share())
            .thenComparingLong(gpu -> Load.of(loads, gpu).memory());
    Comparator<Gpu> first = this == SPREAD ? emptiest : emptiest.reversed();
    return first.thenComparingInt(Gpu::number);
  }

  /** Its name for people and for stores. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * That of a label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Placement of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
