// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.console;

import io.outboard.lease.Form;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseQuery;
import io.outboard.lease.LeaseState;
import io.outboard.pool.Pool;
import io.outboard.pool.broker.LeaseWork;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Looks at a pool again and again: since when each lease does nothing, and how busy each GPU was of
 * late. All that ask at about the same time are told of one look.
 */
public final class Samples {
  private static final System.Logger LOG = System.getLogger(Samples.class.getName());

  /** How long ago is of late. */
  static final Duration LATE = Duration.ofSeconds(30);

  /** Nodes report so often. */
  public static final Duration EVERY = Duration.ofSeconds(5);

  private static final Duration FRESH = Duration.ofSeconds(1);
  private static final int MOST_HISTORY = 120;
  private static final double WHOLE = 1_000;

  private final Pool pool;
  private final InstantSource clock;
  // Guarded by this object's monitor.
  private final Map<String, Activity> leases = new HashMap<>();
  private final Map<String, WorkedGpu> gpus = new HashMap<>();
  private final Deque<Totals> history = new ArrayDeque<>();
  private Optional<Snapshot> last = Optional.empty();

  /** Those of a pool. */
  public Samples(Pool pool, InstantSource clock) {
    this.pool = pool;
    this.clock = clock;
  }

  /**
   * The pool as a whole at a moment.
   *
   * @param leased GPUs that leases have, by their shares
   * @param busy GPUs that were busy of late, as far as that is known
   * @param waiting leases that wait
   */
  record Totals(Instant at, double leased, double busy, long waiting) {}

  /**
   * The pool at a moment.
   *
   * @param gpus as rows, with how busy they were of late as {@code load}, in percent
   * @param leases those that are not over
   */
  record Snapshot(Instant at, List<Form> gpus, List<Lease> leases) {}

  /** Looks, where somebody uses leases at all; to be called each {@link #EVERY}. */
  public void sample() {
    if (!pool.isOpen()) {
      return;
    }
    try {
      synchronized (this) {
        addWork(clock.instant());
        Snapshot now = look();
        history.addLast(totals(now));
        if (history.size() > MOST_HISTORY) {
          history.removeFirst();
        }
      }
    } catch (LeaseException | RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "the console does not know how the pool is", e);
    }
  }

  private void addWork(Instant now) {
    Map<String, LeaseWork> work = pool.work();
    leases.keySet().retainAll(work.keySet());
    work.forEach((id, had) -> leases.computeIfAbsent(id, _ -> new Activity(now)).add(had, now));
  }

  /** The pool as it is now, or was a moment ago. */
  synchronized Snapshot now() throws LeaseException {
    boolean fresh = last.isPresent() && !last.get().at().plus(FRESH).isBefore(clock.instant());
    return fresh ? last.get() : look();
  }

  private Snapshot look() throws LeaseException {
    Instant now = clock.instant();
    List<Form> devices = pool.ask("devices", new Form());
    devices.forEach(device -> addLoad(device, now));
    Snapshot snapshot = new Snapshot(now, devices, pool.leases().page(LeaseQuery.LIVING).leases());
    last = Optional.of(snapshot);
    return snapshot;
  }

  /** Its driver says it; of a software GPU the leases' work does. */
  private void addLoad(Form device, Instant now) {
    String said = device.get("utilization");
    if (said.isEmpty() && !device.get("leasesBusy").isEmpty()) {
      WorkedGpu worked = gpus.computeIfAbsent(name(device), _ -> new WorkedGpu());
      worked.add(device.number("leasesBusy", 0), now);
      said = worked.percent().isPresent() ? "" + Math.round(worked.percent().getAsDouble()) : "";
    }
    device.with("load", said);
    if (device.get("memoryUsed").isEmpty()) {
      device.with("memoryUsed", device.get("leasesMemory"));
    }
  }

  /** As its node calls it. */
  static String name(Form device) {
    return device.get("node") + "/" + device.get("number");
  }

  private static Totals totals(Snapshot now) {
    return new Totals(
        now.at(),
        now.gpus().stream().mapToLong(gpu -> gpu.number("share", 0)).sum() / WHOLE,
        now.gpus().stream().mapToLong(gpu -> gpu.number("load", 0)).sum() / 100.0,
        now.leases().stream().filter(lease -> lease.state() == LeaseState.REQUESTED).count());
  }

  /** The last ten minutes, the oldest first. */
  synchronized List<Totals> history() {
    return List.copyOf(history);
  }

  /** Since when a lease that has GPUs does nothing. */
  public synchronized Instant idleSince(Lease lease) {
    Activity activity = leases.get(lease.id());
    return activity == null ? lease.granted() : activity.since();
  }

  /** The use that a lease has had of its devices. */
  public synchronized LeaseWork work(Lease lease) {
    Activity activity = leases.get(lease.id());
    return activity == null ? LeaseWork.NONE : activity.work();
  }

  /** How many GPUs a lease kept busy of late; none where that is not known. */
  synchronized OptionalDouble busy(Lease lease) {
    Activity activity = leases.get(lease.id());
    return activity == null ? OptionalDouble.empty() : activity.busy();
  }

  /** Bytes a second of a lease's programs of late. */
  synchronized double bytes(Lease lease) {
    Activity activity = leases.get(lease.id());
    return activity == null ? 0 : activity.bytes();
  }
}
