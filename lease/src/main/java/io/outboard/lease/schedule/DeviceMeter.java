// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.store.LeaseStore;
import java.util.HashMap;
import java.util.Map;

/**
 * Puts what devices measure of themselves on the accounts of the leases that have them. Sessions
 * without a lease have no account. Guarded by the broker's monitor.
 *
 * <p>A lease that gets or loses a device between two readings has none of that time, or all of it:
 * some seconds.
 */
public final class DeviceMeter {
  private final LeaseStore store;
  private final LivingLeases leases;
  // The last readings, by the devices' UUIDs.
  private final Map<String, Long> energy = new HashMap<>();
  private final Map<String, Long> busy = new HashMap<>();

  /** Takes what the device at a place of a lease has measured since the last reading. */
  private interface Account {
    void take(Lease lease, int place, long measured);
  }

  public DeviceMeter(LeaseStore store, LivingLeases leases) {
    this.store = store;
    this.leases = leases;
  }

  /**
   * A device's counter of energy. Each lease has its share of it, whether it computes or not, as
   * nobody else can have that part.
   *
   * @param device its UUID
   * @param millijoules since a moment that stays the same as long as the number does not fall
   */
  public void energy(String device, long millijoules) {
    read(energy, device, millijoules, this::takeEnergy);
  }

  /**
   * A device's counter of the time in which it had work. Use of a part of a device is measured
   * where the programs run.
   *
   * @param device its UUID
   * @param nanoseconds since a moment that stays the same as long as the number does not fall
   */
  public void busy(String device, long nanoseconds) {
    read(busy, device, nanoseconds, this::takeBusy);
  }

  /** A counter that begins anew, as after a driver was loaded again, charges nobody this time. */
  private void read(Map<String, Long> readings, String device, long reading, Account account) {
    Long before = readings.put(device, reading);
    if (before != null && before <= reading) {
      leases.all().stream()
          .filter(lease -> lease.state().occupies())
          .forEach(lease -> charge(lease, device, reading - before, account));
    }
  }

  private static void charge(Lease lease, String device, long measured, Account account) {
    int place = lease.gpus().stream().map(Gpu::uuid).toList().indexOf(device);
    if (place >= 0) {
      account.take(lease, place, measured);
    }
  }

  private void takeEnergy(Lease lease, int place, long millijoules) {
    long share = millijoules * lease.request().share() / LeaseRequest.WHOLE;
    store.countEnergy(lease.id(), place, share);
  }

  private void takeBusy(Lease lease, int place, long nanoseconds) {
    if (lease.request().share() == LeaseRequest.WHOLE) {
      store.countBusy(lease.id(), place, nanoseconds);
    }
  }
}
