// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import io.outboard.backend.FakeGpu;
import io.outboard.backend.quota.QuotaPage;
import io.outboard.backend.quota.SlicePlace;
import io.outboard.backend.system.EventCount;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * The daemon, and workers whose programs launch kernels as fast as they may, on a clock of their
 * own: one thread plays all of theirs, in the order of their times. So each run is the same,
 * whatever else the machine does.
 */
final class SlicedWorld implements AutoCloseable {
  static final long MICROSECOND = 1_000;
  static final long SECOND = 1_000_000_000;

  /** A thread that is woken runs so much later. */
  private static final long WAKE_NS = 30 * MICROSECOND;

  /** A program has the next launch so much later. */
  private static final long LAUNCH_NS = 5 * MICROSECOND;

  private static final long NEVER = Long.MAX_VALUE;

  private final SliceKeeper keeper;
  private final List<Actor> actors = new ArrayList<>();
  private final List<Lease> leases = new ArrayList<>();
  private final List<Program> programs = new ArrayList<>();
  private long now = SECOND;
  private Actor acts;

  SlicedWorld() throws IOException {
    EventCount events = EventCount.create();
    keeper = new SliceKeeper(events, this::now);
    actors.add(new Sleeper(events::read, keeper::look));
  }

  long now() {
    return now;
  }

  /** A thread. */
  private abstract static class Actor {
    long next = NEVER;

    /** Something happened. */
    abstract void notice();

    /** It is its time. */
    abstract void act();
  }

  /** One that sleeps until an event comes, or for as long as its last step said. */
  private final class Sleeper extends Actor {
    private final IntSupplier count;
    private final LongSupplier step;
    private int seen;
    private long late;

    Sleeper(IntSupplier count, LongSupplier step) {
      this.count = count;
      this.step = step;
      this.next = now;
    }

    @Override
    void notice() {
      if (count.getAsInt() != seen) {
        next = Math.min(next, now + WAKE_NS + late);
      }
    }

    @Override
    void act() {
      seen = count.getAsInt();
      next = now + step.getAsLong() + late;
    }
  }

  /** A lease. */
  final class Lease {
    private final QuotaPage page = QuotaPage.create(List.of(1L));
    private final SliceKeeper.Tenancy tenancy;
    private int workers;

    Lease(int share) throws IOException {
      tenancy = keeper.lend(List.of(3), share, page);
      leases.add(this);
    }

    private int join() {
      tenancy.join(workers);
      return workers++;
    }

    private void close() {
      tenancy.close();
      page.close();
    }
  }

  /** One of a lease, in a worker. */
  final class Program extends Actor {
    private final FakeGpu gpu = new FakeGpu(SlicedWorld.this::now);
    private final Lease lease;
    private final int slot;
    private final SliceMeter meter;
    private Sleeper looks;
    private long late;
    private int kernelUs;
    private boolean waits;

    Program(int share, int kernelUs) throws IOException {
      this(new Lease(share), kernelUs);
    }

    Program(Lease lease, int kernelUs) throws IOException {
      this.lease = lease;
      this.kernelUs = kernelUs;
      this.next = now;
      this.slot = lease.join();
      meter = new SliceMeter(gpu, slice(), EventCount.map(keeper.events()), SlicedWorld.this::now);
      programs.add(this);
      actors.add(this);
    }

    /** As a worker that begins a call, or goes on with one. */
    @Override
    void act() {
      next = NEVER;
      if (waits && meter.mayBegin()) {
        waits = false;
        meter.leave();
        launch();
      } else if (!waits && kernelUs > 0) {
        waits = !meter.arrive();
        if (waits) {
          start();
        } else {
          launch();
        }
      }
    }

    private void launch() {
      meter.enter();
      int result = gpu.cuLaunchKernel(0, kernelUs, 1, 1, 1, 1, 1, 0, 0, 0, 0);
      int unused = meter.begun(FakeGpu.CONTEXT, 0, result);
      next = now + LAUNCH_NS;
    }

    @Override
    void notice() {
      if (waits && next == NEVER && meter.mayBegin()) {
        next = now + WAKE_NS;
      }
    }

    /** The meter's thread begins with the first wait. */
    private void start() {
      if (looks == null) {
        looks = new Sleeper(slice()::events, meter::step);
        looks.late = late;
        actors.add(looks);
      }
    }

    /** Its meter's thread wakes late, from now on. */
    void wakesLate(long nanoseconds) {
      late = nanoseconds;
    }

    /** From now on its kernels take so long; none for 0. */
    void kernels(int microseconds) {
      kernelUs = microseconds;
      next = waits ? next : now;
    }

    /** Whether it is the program's own thread that does something just now. */
    boolean acts() {
      return acts == this;
    }

    FakeGpu gpu() {
      return gpu;
    }

    SlicePlace slice() {
      return lease.page.slice(slot, 0);
    }

    boolean rest() {
      return meter.rest();
    }

    void share(int share) {
      lease.tenancy.share(share);
    }

    /** Its thread was never started: this clock has played it. */
    private void endMeter() {
      try {
        meter.close();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Its worker is killed: it says nothing any more. Returns the time in which it was busy. */
    long kill() {
      endMeter();
      actors.remove(this);
      actors.remove(looks);
      programs.remove(this);
      return lease.tenancy.leave(slot).getFirst();
    }
  }

  /** Lets time pass. */
  void pass(double seconds) {
    long end = now + (long) (seconds * SECOND);
    for (Actor first = first(); first.next <= end; first = first()) {
      now = Math.max(now, first.next);
      acts = first;
      first.act();
    }
    now = end;
  }

  /** Whose time is next, once all have seen what happened. */
  private Actor first() {
    Actor first = actors.getFirst();
    for (Actor actor : actors) {
      actor.notice();
      first = actor.next < first.next ? actor : first;
    }
    return first;
  }

  @Override
  public void close() {
    for (Program program : List.copyOf(programs)) {
      long unused = program.kill();
    }
    leases.forEach(Lease::close);
    keeper.close();
  }
}
