// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Architecture;
import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.LeaseMode;
import io.outboard.lease.LeaseRequest;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Devices by their places: those of a node are side by side. */
final class Fleet {
  private final List<Gpu> gpus;
  private final Map<GpuId, Integer> places = new HashMap<>();
  private final Map<Kind, int[]> fitting = new HashMap<>();

  /** All that decides which devices a request may have. */
  private record Kind(
      String model,
      Optional<Architecture> architecture,
      String profile,
      LeaseMode mode,
      boolean several,
      long memory,
      int share) {
    static Kind of(LeaseRequest request) {
      return new Kind(
          request.model(),
          request.architecture(),
          request.profile(),
          request.mode(),
          request.gpus() > 1,
          request.memory(),
          request.memory() > 0 ? 0 : request.share());
    }
  }

  Fleet(List<Gpu> gpus) {
    this.gpus =
        gpus.stream()
            .sorted(Comparator.comparing(Gpu::node).thenComparingInt(Gpu::number))
            .toList();
    for (int place = 0; place < this.gpus.size(); place++) {
      places.put(this.gpus.get(place).id(), place);
    }
  }

  int size() {
    return gpus.size();
  }

  Gpu at(int place) {
    return gpus.get(place);
  }

  List<Gpu> at(int[] chosen) {
    return IntStream.of(chosen).mapToObj(gpus::get).toList();
  }

  /** The place of a device; none where it is not there. */
  Optional<Integer> place(Gpu gpu) {
    return place(gpu.id());
  }

  /** The same by its id. */
  Optional<Integer> place(GpuId gpu) {
    return Optional.ofNullable(places.get(gpu));
  }

  boolean isSameNode(int place, int other) {
    return gpus.get(place).node().equals(gpus.get(other).node());
  }

  /** The places of the devices that a request may have, in their order. */
  int[] fitting(LeaseRequest request) {
    return fitting.computeIfAbsent(
        Kind.of(request),
        _ ->
            IntStream.range(0, gpus.size())
                .filter(place -> request.fits(gpus.get(place)))
                .toArray());
  }
}
