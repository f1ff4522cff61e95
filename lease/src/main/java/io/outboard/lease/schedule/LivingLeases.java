// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.GpuUse;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseCursor;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeasePage;
import io.outboard.lease.LeaseQuery;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.Load;
import io.outboard.lease.store.LeaseStore;
import io.outboard.wire.Bytes;
import io.outboard.wire.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The leases that are not over, as the store has them, and the names of their tokens. Changes are
 * in the store first. Guarded by the broker's monitor.
 */
public final class LivingLeases {
  private static final int ID_BYTES = 6;

  private final LeaseStore store;
  private final Totals totals;
  private final Inventory inventory;
  private final Map<String, Lease> alive = new LinkedHashMap<>();
  private final Map<Bytes, String> names = new HashMap<>();
  private Consumer<Lease> listener = _ -> {};

  /** Those that the store has, of these devices and of others that were there before. */
  public LivingLeases(LeaseStore store, Totals totals, List<Gpu> gpus) {
    this.store = store;
    this.totals = totals;
    List<Lease> stored = store.alive();
    List<Gpu> all =
        Stream.concat(
                gpus.stream(), store.nodes().all().stream().flatMap(node -> node.gpus().stream()))
            .toList();
    this.inventory =
        new Inventory(
            all,
            stored.stream().flatMap(lease -> lease.gpus().stream()),
            store.cordons(),
            store.closings());
    stored.forEach(this::keep);
  }

  /** Whether somebody has asked for it, and has its devices. */
  public static boolean isLeased(Lease lease) {
    return lease.state().holds() && !lease.request().isCommon();
  }

  /** Whether programs may use it, with its token: its devices are not handed over. */
  public static boolean isServed(Lease lease) {
    return isLeased(lease) && !lease.request().mode().handsOver();
  }

  /** Tells somebody of each lease that is another one now. */
  public void onKept(Consumer<Lease> told) {
    listener = told;
  }

  /** As {@link LeaseStore#take}. */
  public Lease take(Lease grant) {
    return keep(store.take(grant));
  }

  /** Adds one that is asked for. */
  public Lease request(LeaseRequest request, Instant when) {
    Lease lease = Lease.requested(Bytes.random(ID_BYTES).hex(), request, when);
    store.request(lease);
    return keep(lease);
  }

  /** As {@link LeaseStore#grant}. */
  public Lease grant(String id, List<Gpu> gpus, Instant now, Instant expires) {
    return keep(store.grant(id, gpus, now, expires));
  }

  /** As {@link LeaseStore#move}. */
  public Lease move(String id, LeaseState to, Instant now, String reason) {
    return keep(store.move(id, to, now, reason));
  }

  /** As {@link LeaseStore#replace}. */
  public Lease replace(String id, List<Gpu> gpus) {
    return keep(store.replace(id, gpus));
  }

  /** As {@link LeaseStore#leave}. */
  public Lease leave(String id, String node, Instant now) {
    return keep(store.leave(id, node, now));
  }

  /** As {@link LeaseStore#renew}. */
  public Lease renew(String id, Instant expires) {
    return keep(store.renew(id, expires));
  }

  /** As {@link LeaseStore#fetched}. */
  public Lease fetched(String id) {
    return keep(store.fetched(id));
  }

  /** As {@link LeaseStore#shift}. */
  public void shift(Duration by) {
    store.shift(by);
    store.alive().forEach(this::keep);
  }

  /** As {@link LeaseStore#share}. */
  public Lease share(String id, int share, long memory, Instant now) {
    return keep(store.share(id, share, memory, now));
  }

  /** As {@link LeaseStore#taken}. */
  public long taken() {
    return store.taken();
  }

  /** As {@link LeaseStore#grantsAbove}. */
  public void grantsAbove(long epoch) {
    store.grantsAbove(epoch);
  }

  /** As {@link LeaseStore#used}. */
  public List<GpuUse> used(String id) {
    return store.used(id);
  }

  /** As {@link LeaseStore#countUpTo}. */
  public void countUpTo(String id, List<GpuUse> use) {
    store.countUpTo(id, use);
  }

  /** The devices. */
  public Inventory inventory() {
    return inventory;
  }

  /** Remembers a lease as it is now. */
  private Lease keep(Lease stored) {
    Lease lease = stored.with(inventory::current);
    totals.count(alive.get(lease.id()), lease);
    if (lease.state().isEnd()) {
      alive.remove(lease.id());
      names.values().removeIf(lease.id()::equals);
    } else {
      alive.put(lease.id(), lease);
    }
    if (isServed(lease)) {
      names.put(token(lease).name(), lease.id());
    }
    listener.accept(lease);
    return lease;
  }

  /** The token of a lease's grant: its holder can use the lease, and nobody can make another. */
  public Token token(Lease lease) {
    return store.secret().derived("lease %s %d".formatted(lease.id(), lease.epoch()));
  }

  /** The one whose token has a name. */
  public Optional<Lease> named(Bytes name) {
    return Optional.ofNullable(names.get(name)).map(alive::get);
  }

  /** One that is not over. */
  public Optional<Lease> get(String id) {
    return Optional.ofNullable(alive.get(id));
  }

  /**
   * The lease of a holder of its token.
   *
   * @param epoch of the grant that the token is of
   * @throws LeaseException if it is over, or the token is of another grant of it
   */
  public Lease held(String id, long epoch) throws LeaseException {
    return get(id)
        .filter(lease -> isServed(lease) && lease.epoch() == epoch)
        .orElseThrow(
            () ->
                new LeaseException(
                    "the token's lease %s is over; 'outboard lease' gives a new one"
                        .formatted(id)));
  }

  /** Whether one is not over, and in a state. */
  public boolean isIn(String id, LeaseState state) {
    return get(id).filter(lease -> lease.state() == state).isPresent();
  }

  /**
   * A lease as it is now, also one that is over.
   *
   * @throws LeaseException if there is none
   */
  public Lease find(String id) throws LeaseException {
    return get(id).or(() -> store.find(id)).orElseThrow(() -> missing(id));
  }

  /** The error where there is no such lease. */
  public static LeaseException missing(String id) {
    return new LeaseException("there is no lease " + id);
  }

  /**
   * One that is not over.
   *
   * @throws LeaseException if it is
   */
  public Lease living(String id) throws LeaseException {
    Lease lease = find(id);
    if (lease.state().isEnd()) {
      throw new LeaseException("lease %s is over: %s".formatted(id, lease.state().label()));
    }
    return lease;
  }

  /**
   * One that is not over, and of devices that this backend serves.
   *
   * @throws LeaseException if its devices are handed over: their use is not known here
   */
  public Lease served(String id) throws LeaseException {
    Lease lease = living(id);
    if (lease.request().mode().handsOver()) {
      throw new LeaseException(
          "the GPUs of lease %s are handed over: all that can be done is to renew or release it"
              .formatted(id));
    }
    return lease;
  }

  /** Those that are wanted, and after them those that are over, which the store has. */
  public LeasePage page(LeaseQuery wanted) {
    long room = wanted.most() + 1L;
    List<Lease> found =
        new ArrayList<>(
            alive.values().stream()
                .filter(wanted::wants)
                .sorted(Comparator.comparing(LeaseCursor::of))
                .limit(room)
                .toList());
    if (wanted.over() && found.size() < room) {
      long left = Math.min(Integer.MAX_VALUE, room - found.size());
      found.addAll(store.over(wanted, Math.toIntExact(left)));
    }
    return LeasePage.of(found, wanted.most());
  }

  public List<Lease> all() {
    return List.copyOf(alive.values());
  }

  /** All but one. */
  public List<Lease> others(String id) {
    return alive.values().stream().filter(other -> !other.id().equals(id)).toList();
  }

  /** Those that wait for devices. */
  public List<Lease> waiting() {
    return alive.values().stream().filter(lease -> lease.state() == LeaseState.REQUESTED).toList();
  }

  /** Those that have devices. */
  public List<Lease> holding() {
    return alive.values().stream().filter(lease -> lease.state().holds()).toList();
  }

  /** The parts of each device that are given away, by its id. */
  public Map<GpuId, Load> loads() {
    return Scheduling.loads(all());
  }
}
