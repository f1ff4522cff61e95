// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import io.outboard.backend.quota.QuotaPage;
import io.outboard.backend.quota.SlicePlace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** A device that leases share, and whose workers may use it now; for one thread at a time. */
final class SlicedDevice {
  private final SliceOrder order = new SliceOrder();
  private final List<Tenant> tenants = new ArrayList<>();
  private final LongSupplier nanos;

  SlicedDevice(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** A lease that shares the device. */
  final class Tenant {
    private final QuotaPage page;
    private final int gpu;
    private final SliceOrder.Party party;
    private final List<Worker> workers = new ArrayList<>();

    private Tenant(QuotaPage page, int gpu, int share) {
      this.page = page;
      this.gpu = gpu;
      this.party = order.join(share);
    }

    /** A worker of the lease begins. */
    void join(int slot) {
      workers.add(new Worker(slot, page.slice(slot, gpu), nanos));
    }

    /** A worker goes on whose grant is of nobody who is there: it is taken back. */
    void goOn(int slot) {
      page.slice(slot, gpu).grant(0);
      page.slice(slot, gpu).demand(SlicePlace.NONE);
      join(slot);
    }

    /** A worker of the lease has ended; returns the nanoseconds in which it was busy. */
    long leave(int slot) {
      long busy = 0;
      for (Worker worker : workers) {
        busy += worker.slot == slot ? worker.busy() : 0;
      }
      workers.removeIf(worker -> worker.slot == slot);
      return busy;
    }

    /** The nanoseconds in which the workers were busy since this was asked last. */
    long busy() {
      return workers.stream().mapToLong(Worker::busy).sum();
    }

    void share(int share, long now) {
      order.share(party, share, now);
    }

    /** The lease is over. */
    void end(long now) {
      order.leave(party, now);
      tenants.remove(this);
    }

    private boolean holds() {
      return workers.stream().anyMatch(Worker::holds);
    }

    private boolean wants() {
      return workers.stream().anyMatch(Worker::wants);
    }

    private void hear(long now) {
      if (!order.isIdle(party) && !holds() && !(order.isWaiting(party) && wants())) {
        order.left(party, now);
      }
      if (wants()) {
        order.wants(party, now);
      }
    }

    private void tell(boolean chosen) {
      long demand = chosen || holds() ? order.demand(party) : SlicePlace.NONE;
      boolean more = chosen && demand != SlicePlace.YIELD;
      for (Worker worker : workers) {
        worker.tell(demand, more);
      }
    }
  }

  /** A worker of such a lease. Its words are believed as far as they concern its lease. */
  private static final class Worker {
    private final int slot;
    private final SlicePlace place;
    private final LongSupplier nanos;
    private long granted;
    private long demand;
    private long request;
    private long counted;
    private long countedAt;

    Worker(int slot, SlicePlace place, LongSupplier nanos) {
      this.slot = slot;
      this.place = place;
      this.nanos = nanos;
      this.counted = place.busy();
      this.countedAt = nanos.getAsLong();
    }

    void look() {
      request = place.request();
    }

    boolean holds() {
      return granted != 0 && request == granted;
    }

    boolean wants() {
      return SlicePlace.wants(request) && request != granted;
    }

    void tell(long now, boolean more) {
      boolean begins = more && wants();
      if (now == demand && !begins) {
        return;
      }
      demand = now;
      place.demand(now);
      if (begins) {
        granted = request;
        place.grant(request);
      }
      if (holds()) {
        place.advance();
      }
    }

    /** Not more than time has passed, whatever the worker says. */
    long busy() {
      long total = place.busy();
      long now = nanos.getAsLong();
      long since = Math.clamp(total - counted, 0, now - countedAt);
      counted = total;
      countedAt = now;
      return since;
    }
  }

  /** One more lease, to which this is device {@code gpu}, with thousandths of it. */
  Tenant lend(QuotaPage page, int gpu, int share) {
    Tenant tenant = new Tenant(page, gpu, share);
    tenants.add(tenant);
    return tenant;
  }

  boolean isUnused() {
    return tenants.isEmpty();
  }

  /** Hears the workers, decides, and tells them; returns when to look again at the latest. */
  long look(long now) {
    for (Tenant tenant : tenants) {
      tenant.workers.forEach(Worker::look);
      tenant.hear(now);
    }
    SliceOrder.Party holder = order.step(now);
    for (Tenant tenant : tenants) {
      tenant.tell(tenant.party == holder);
    }
    return order.next(now);
  }
}
