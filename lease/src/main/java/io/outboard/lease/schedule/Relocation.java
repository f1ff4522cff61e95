// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.Lease;
import io.outboard.lease.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a suspended lease can go on whose devices others have: those of its devices that have no
 * room are replaced by others of the same model.
 */
public final class Relocation {
  private final List<Gpu> free;
  private final Map<GpuId, Load> loads;

  /**
   * Looks for devices.
   *
   * @param free those that may be taken
   * @param loads what is given away, by the devices' ids
   */
  public Relocation(List<Gpu> free, Map<GpuId, Load> loads) {
    this.free = free;
    this.loads = loads;
  }

  /** The devices on which it can go on, in the order of its own; none where there are too few. */
  public Optional<List<Gpu>> choose(Lease lease) {
    List<Gpu> chosen = new ArrayList<>();
    for (Gpu own : lease.gpus()) {
      Optional<Gpu> next = hasRoom(lease, own) ? Optional.of(own) : other(lease, own, chosen);
      if (next.isEmpty()) {
        return Optional.empty();
      }
      chosen.add(next.get());
    }
    return Optional.of(chosen);
  }

  private Optional<Gpu> other(Lease lease, Gpu own, List<Gpu> chosen) {
    return free.stream()
        .filter(gpu -> isLike(own, gpu) && hasRoom(lease, gpu))
        .filter(
            gpu -> chosen.stream().noneMatch(gpu::is) && lease.gpus().stream().noneMatch(gpu::is))
        .findFirst();
  }

  private boolean hasRoom(Lease lease, Gpu gpu) {
    return Load.of(loads, gpu).hasRoom(lease.request(), gpu);
  }

  /** A driver restores to the same kind of chip; slices of one are not moved. */
  private static boolean isLike(Gpu own, Gpu other) {
    return own.model().equals(other.model())
        && own.memory() == other.memory()
        && own.slice().isEmpty()
        && other.slice().isEmpty();
  }
}
