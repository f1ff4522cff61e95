// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The backend's devices, and which of them have failed. Guarded by the broker's monitor. */
final class Inventory {
  private final List<Gpu> gpus;
  // Why, by their UUIDs.
  private final Map<String, String> failed = new HashMap<>();
  // Asked for with each request.
  private List<Gpu> working;

  Inventory(List<Gpu> gpus) {
    this.gpus = List.copyOf(gpus);
    this.working = this.gpus;
  }

  List<Gpu> all() {
    return gpus;
  }

  /** Those that can be given to somebody. */
  List<Gpu> working() {
    return working;
  }

  /** Why one has failed, if it has. */
  Optional<String> failure(Gpu gpu) {
    return Optional.ofNullable(failed.get(gpu.uuid()));
  }

  /** The one of a UUID or a number. */
  Optional<Gpu> find(String device) {
    return gpus.stream()
        .filter(gpu -> gpu.uuid().equals(device) || Integer.toString(gpu.number()).equals(device))
        .findFirst();
  }

  void fail(Gpu gpu, String why) {
    failed.put(gpu.uuid(), why);
    look();
  }

  /** One that failed works again. */
  void readmit(Gpu gpu) {
    failed.remove(gpu.uuid());
    look();
  }

  private void look() {
    working = gpus.stream().filter(gpu -> failure(gpu).isEmpty()).toList();
  }
}
