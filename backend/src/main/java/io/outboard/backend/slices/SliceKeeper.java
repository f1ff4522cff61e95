// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import io.outboard.backend.quota.QuotaPage;
import io.outboard.backend.system.EventCount;
import io.outboard.backend.system.Log;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Gives the leases that share devices their time slices, in proportion to their shares ({@link
 * SliceOrder}). The workers of one lease have the device together; where only one lease wants it,
 * that one has it. One thread, which sleeps while nobody has to be told anything.
 */
public final class SliceKeeper implements AutoCloseable {
  /** Sleeps so long at most: a worker can keep others from ringing, and not for ever. */
  private static final long MOST_SLEEP_NS = TimeUnit.SECONDS.toNanos(1);

  private final EventCount events;
  private final LongSupplier nanos;
  private final Thread thread;
  // By the devices' numbers; guarded by this object's monitor.
  private final Map<Integer, SlicedDevice> devices = new HashMap<>();
  private boolean closed;

  /** One that has not started, by a clock. */
  SliceKeeper(EventCount events, LongSupplier nanos) {
    this.events = events;
    this.nanos = nanos;
    this.thread = Thread.ofPlatform().name("slices").daemon(true).unstarted(this::run);
  }

  /** Starts one. */
  public static SliceKeeper start() throws IOException {
    return start(EventCount.create());
  }

  /** Starts one that has the events of workers that are there already. */
  public static SliceKeeper start(EventCount events) {
    SliceKeeper keeper = new SliceKeeper(events, System::nanoTime);
    keeper.thread.start();
    return keeper;
  }

  /** The descriptor that workers get, to say that they want something. */
  public int events() {
    return events.descriptor();
  }

  /** A lease that shares devices. */
  public final class Tenancy implements AutoCloseable {
    private final List<SlicedDevice.Tenant> tenants = new ArrayList<>();

    private Tenancy(List<Integer> gpus, int share, QuotaPage page) {
      for (int place = 0; place < gpus.size(); place++) {
        SlicedDevice device =
            devices.computeIfAbsent(gpus.get(place), _ -> new SlicedDevice(nanos));
        tenants.add(device.lend(page, place, share));
      }
    }

    /** A worker goes on that may have the device by the word of another keeper: it asks anew. */
    public void goOn(int slot) {
      synchronized (SliceKeeper.this) {
        tenants.forEach(tenant -> tenant.goOn(slot));
        events.advance();
      }
    }

    /** A worker with this place in the page begins. */
    public void join(int slot) {
      synchronized (SliceKeeper.this) {
        tenants.forEach(tenant -> tenant.join(slot));
      }
    }

    /**
     * A worker has ended.
     *
     * @return the nanoseconds in which each device was busy with it that {@link #busy} has not
     *     returned
     */
    public List<Long> leave(int slot) {
      synchronized (SliceKeeper.this) {
        List<Long> busy = tenants.stream().map(tenant -> tenant.leave(slot)).toList();
        events.advance();
        return busy;
      }
    }

    /**
     * The nanoseconds in which each device was busy with its workers, since this was asked last.
     */
    public List<Long> busy() {
      synchronized (SliceKeeper.this) {
        return tenants.stream().map(SlicedDevice.Tenant::busy).toList();
      }
    }

    /** From now on it has these thousandths of each device. */
    public void share(int share) {
      synchronized (SliceKeeper.this) {
        long now = nanos.getAsLong();
        tenants.forEach(tenant -> tenant.share(share, now));
        events.advance();
      }
    }

    /** The lease is over; its workers have ended. */
    @Override
    public void close() {
      synchronized (SliceKeeper.this) {
        long now = nanos.getAsLong();
        tenants.forEach(tenant -> tenant.end(now));
        devices.values().removeIf(SlicedDevice::isUnused);
        events.advance();
      }
    }
  }

  /**
   * One more lease.
   *
   * @param gpus the devices' numbers in this backend, in the lease's order
   * @param share thousandths of each
   * @param page the lease's
   */
  public synchronized Tenancy lend(List<Integer> gpus, int share, QuotaPage page) {
    return new Tenancy(gpus, share, page);
  }

  private void run() {
    while (true) {
      int seen = events.read();
      long sleep = safeLook();
      if (sleep < 0) {
        return;
      }
      events.await(seen, sleep);
    }
  }

  /** Leases would wait for ever if this ended. */
  private long safeLook() {
    try {
      return look();
    } catch (RuntimeException e) {
      Log.failure("time slices are not given", e);
      return MOST_SLEEP_NS;
    }
  }

  /** How long there is nothing to do, negative when this has ended. */
  synchronized long look() {
    if (closed) {
      return -1;
    }
    long now = nanos.getAsLong();
    long next = SliceOrder.NEVER;
    for (SlicedDevice device : devices.values()) {
      next = Math.min(next, device.look(now));
    }
    return next == SliceOrder.NEVER ? MOST_SLEEP_NS : Math.clamp(next - now, 0, MOST_SLEEP_NS);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    events.advance();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    events.close();
  }
}
