// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.Lease;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * All that a decision depends on.
 *
 * @param now the moment
 * @param gpus the devices that can be given away
 * @param holding the leases that have devices
 * @param waiting the leases that want some
 * @param closing devices that nobody is to have from a moment on, by their ids
 * @param past how many seconds of a whole device each tenant has had of late
 */
public record Situation(
    Instant now,
    List<Gpu> gpus,
    List<Lease> holding,
    List<Lease> waiting,
    Map<GpuId, Instant> closing,
    Map<String, Double> past) {
  /** One in which no device is to be out for maintenance. */
  public Situation(
      Instant now,
      List<Gpu> gpus,
      List<Lease> holding,
      List<Lease> waiting,
      Map<String, Double> past) {
    this(now, gpus, holding, waiting, Map.of(), past);
  }

  /** Copies the lists. */
  public Situation {
    gpus = List.copyOf(gpus);
    holding = List.copyOf(holding);
    waiting = List.copyOf(waiting);
    closing = Map.copyOf(closing);
    past = Map.copyOf(past);
  }
}
