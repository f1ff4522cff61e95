// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.node.Closing;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;

/**
 * The backend's devices, which of them have failed, and those that leases had and that are missing
 * since. Guarded by the broker's monitor.
 */
public final class Inventory {
  /** Why a device is given to nobody that was there in the days of another process. */
  public static final String MISSING = "missing: it was not there when the backend started";

  private volatile List<Gpu> gpus;
  private volatile List<Gpu> missing;
  // All that leases had in the days of another process, by their ids.
  private final SequencedMap<GpuId, Gpu> leased = new LinkedHashMap<>();
  // Why, by their ids.
  private final Map<GpuId, String> failed = new HashMap<>();
  // Why, by their ids, of those that are out for maintenance.
  private final Map<GpuId, String> cordoned;
  // By their ids, those that are to be out.
  private final Map<GpuId, Closing> closing;
  // Both are asked for with each request.
  private List<Gpu> working;
  private List<Gpu> available;

  /**
   * Takes stock.
   *
   * @param gpus the devices that there are
   * @param leased what leases have; not all of it need be there
   * @param cordoned why, by their ids, of devices that are out for maintenance
   * @param closing by their ids, the devices that are to be out
   */
  Inventory(
      List<Gpu> gpus,
      Stream<Gpu> leased,
      Map<GpuId, String> cordoned,
      Map<GpuId, Closing> closing) {
    this.gpus = List.copyOf(gpus);
    this.cordoned = new HashMap<>(cordoned);
    this.closing = new HashMap<>(closing);
    leased.forEach(gpu -> this.leased.putIfAbsent(gpu.id(), gpu));
    look();
  }

  /** The devices of a node. */
  public List<Gpu> of(String node) {
    return gpus.stream().filter(gpu -> gpu.node().equals(node)).toList();
  }

  /** A node has these devices, and no others. */
  public void set(String node, List<Gpu> its) {
    gpus =
        Stream.concat(gpus.stream().filter(gpu -> !gpu.node().equals(node)), its.stream()).toList();
    look();
  }

  /** Those that there are. */
  public List<Gpu> all() {
    return gpus;
  }

  /** Those that there are, and those that are missing. */
  public List<Gpu> known() {
    return Stream.concat(gpus.stream(), missing.stream()).toList();
  }

  /** Whether it is one that a lease had and that is not there any more. */
  public boolean isMissing(Gpu gpu) {
    return missing.stream().anyMatch(gpu::is);
  }

  /** A device as it is now: a driver may number them in another order. */
  Gpu current(Gpu gpu) {
    return present(gpu).orElse(gpu);
  }

  private Optional<Gpu> present(Gpu gpu) {
    return gpus.stream().filter(gpu::is).findFirst();
  }

  /** Those that work; some may be out for maintenance. */
  public List<Gpu> working() {
    return working;
  }

  /** Those that can be given to somebody. */
  public List<Gpu> available() {
    return available;
  }

  /** Why one is out for maintenance, if it is. */
  public Optional<String> cordon(Gpu gpu) {
    return Optional.ofNullable(cordoned.get(gpu.id()));
  }

  /** Takes one out for maintenance: who has it keeps it, and nobody else gets it. */
  public void cordon(Gpu gpu, String why) {
    closing.remove(gpu.id());
    cordoned.put(gpu.id(), why);
    look();
  }

  /** Those that are to be out for maintenance, by their ids. */
  public Map<GpuId, Closing> closings() {
    return Map.copyOf(closing);
  }

  /** One is to be out from a moment on. */
  public void close(Gpu gpu, Closing when) {
    closing.put(gpu.id(), when);
  }

  /** It is back, or is not to be out. */
  public void uncordon(Gpu gpu) {
    closing.remove(gpu.id());
    cordoned.remove(gpu.id());
    look();
  }

  /** Why one is given to nobody, if that is so. */
  public Optional<String> failure(Gpu gpu) {
    return isMissing(gpu) ? Optional.of(MISSING) : Optional.ofNullable(failed.get(gpu.id()));
  }

  /** Those of a UUID or a number, of those that there are: of a GPU that is cut, its slices. */
  public List<Gpu> find(String device) {
    return gpus.stream().filter(gpu -> gpu.isNamed(device)).toList();
  }

  public void fail(Gpu gpu, String why) {
    failed.put(gpu.id(), why);
    look();
  }

  /** One that failed works again. */
  public void readmit(Gpu gpu) {
    failed.remove(gpu.id());
    look();
  }

  private void look() {
    missing = leased.values().stream().filter(gpu -> present(gpu).isEmpty()).toList();
    working = gpus.stream().filter(gpu -> failure(gpu).isEmpty()).toList();
    available = working.stream().filter(gpu -> cordon(gpu).isEmpty()).toList();
  }
}
