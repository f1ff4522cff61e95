// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.slices.SliceKeeper;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.backend.system.EventCount;
import io.outboard.lease.Form;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.Sharing;
import io.outboard.lease.schedule.Totals;
import io.outboard.lease.store.LeaseStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The leases that sessions use or have used in this process, and what these have done. Guarded by
 * the broker's monitor.
 */
final class UsedLeases implements AutoCloseable {
  private final LeaseStore store;
  private final Totals totals;
  private final Sharing sharing;
  private final Map<String, UsedLease> used = new HashMap<>();
  // None until leases share a device.
  private SliceKeeper slices;

  UsedLeases(LeaseStore store, Totals totals, Sharing sharing) {
    this.store = store;
    this.totals = totals;
    this.sharing = sharing;
  }

  /** A lease that is to be used. */
  UsedLease of(Lease lease) {
    return used.computeIfAbsent(lease.id(), _ -> new UsedLease(lease, sharing, this::slices));
  }

  /**
   * Adds to a row what programs of leases have of a device and for how many nanoseconds it had work
   * of them, where both are measured of each lease: of software GPUs, whose driver says neither.
   */
  Form addTo(Form row, Gpu gpu) {
    if (sharing != Sharing.MEASURED_TURNS) {
      return row;
    }
    used.values().forEach(UsedLease::count);
    return row.with("leasesMemory", used.values().stream().mapToLong(one -> one.memory(gpu)).sum())
        .with("leasesBusy", used.values().stream().mapToLong(one -> one.worked(gpu)).sum());
  }

  /** The work of their sessions in this process, by the leases' ids. */
  Map<String, LeaseWork> work() {
    Map<String, LeaseWork> work = new HashMap<>();
    used.forEach((id, one) -> work.put(id, one.work()));
    return work;
  }

  /** Returns the keeper of the devices' time slices. */
  private SliceKeeper slices(int events) throws IOException {
    if (slices == null) {
      slices =
          events == Allotment.NONE
              ? SliceKeeper.start()
              : SliceKeeper.start(EventCount.takeBack(events));
    } else if (events != Allotment.NONE) {
      UsedLease.requireSame(slices.events(), events);
    }
    return slices;
  }

  /** One that has been used. */
  Optional<UsedLease> get(String id) {
    return Optional.ofNullable(used.get(id));
  }

  /** How many sessions use a lease. */
  int sessions(String id) {
    return get(id).map(UsedLease::sessions).orElse(0);
  }

  /** The sessions. */
  List<LeaseSession> all() {
    return used.values().stream().flatMap(one -> one.all().stream()).toList();
  }

  /** The sessions of a lease, as rows of a control connection. */
  Stream<Form> rows(String id) {
    return get(id).stream().flatMap(UsedLease::rows);
  }

  /** The sessions, as rows of a control connection. */
  List<Form> rows() {
    return used.values().stream().flatMap(UsedLease::rows).toList();
  }

  /** Writes down what the sessions of all leases have done up to now. */
  void settle() {
    used.keySet().forEach(this::settle);
  }

  /** Writes down what the sessions of a lease have done up to now. */
  void settle(String id) {
    get(id)
        .ifPresent(
            sessions -> {
              sessions.count();
              write(id, sessions);
            });
  }

  private void write(String id, UsedLease sessions) {
    SessionFigures counted = sessions.takeCounted();
    totals.add(counted.calls(), counted.bytesIn(), counted.bytesOut());
    totals.links(counted.linksLost(), counted.linksResumed());
    if (counted.bytesIn() != 0 || counted.bytesOut() != 0) {
      store.count(id, counted.bytesIn(), counted.bytesOut());
    }
    List<Long> busy = sessions.takeBusy();
    if (!busy.isEmpty()) {
      store.countBusy(id, busy);
    }
  }

  /** A session of a lease has ended. */
  void remove(String id, LeaseSession session, SessionFigures figures) {
    get(id)
        .ifPresent(
            sessions -> {
              sessions.remove(session, figures);
              write(id, sessions);
            });
  }

  /** A lease is about to be over: what its sessions have done is written down. */
  void complete(String id) {
    get(id).ifPresent(sessions -> write(id, sessions));
  }

  /** A lease is over. */
  void end(String id) {
    get(id).ifPresent(UsedLease::close);
    used.remove(id);
  }

  @Override
  public void close() {
    used.values().forEach(UsedLease::close);
    if (slices != null) {
      slices.close();
    }
  }
}
