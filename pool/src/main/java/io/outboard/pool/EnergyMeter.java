// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import io.outboard.backend.DeviceListener;
import java.util.HashMap;
import java.util.Map;

/**
 * Puts what devices use on the accounts of the leases that have them: each its share, whether it
 * computes or not, as nobody else can have that part. What nobody has, and what sessions without a
 * lease have together, is on nobody's. Guarded by the broker's monitor.
 *
 * <p>A lease that gets or loses a device between two readings has none of that time, or all of it:
 * some seconds.
 */
final class EnergyMeter {
  private final LeaseStore store;
  private final LivingLeases leases;
  // The last readings, by the devices' UUIDs.
  private final Map<String, Long> readings = new HashMap<>();

  EnergyMeter(LeaseStore store, LivingLeases leases) {
    this.store = store;
    this.leases = leases;
  }

  /** As {@link DeviceListener#energy}. A driver that was loaded again counts from nothing. */
  void read(String device, long millijoules) {
    Long before = readings.put(device, millijoules);
    if (before != null && before < millijoules) {
      leases.all().stream()
          .filter(lease -> lease.state().occupies())
          .forEach(lease -> charge(lease, device, millijoules - before));
    }
  }

  private void charge(Lease lease, String device, long millijoules) {
    long share = millijoules * lease.request().share() / LeaseRequest.WHOLE;
    int place = lease.gpus().stream().map(Gpu::uuid).toList().indexOf(device);
    if (place >= 0) {
      store.countEnergy(lease.id(), place, share);
    }
  }
}
