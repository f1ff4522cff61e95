// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.Load;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.schedule.Explanation.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * Which of the leases that wait are granted now, and with which devices.
 *
 * <p>They are looked at in the order of {@link Queue}. One that does not fit has spare leases put
 * aside, if that makes room for it; else it has a claim to the devices that are free for it first.
 * Others get these devices only for a time that is over by then (<i>backfill</i>), so that it is
 * not passed by for ever. Leases with a date have claims from the start.
 */
public final class Scheduling {
  /** So many that wait have claims; those behind them have their turn later. */
  private static final int MOST_CLAIMS = 8;

  /** A program without a lease ends some time: it counts as if it did after so long. */
  private static final Duration UNKNOWN = Duration.ofHours(1);

  /** What should be over, and is not yet, counts as if it were after so long. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private static final int MOST_NAMED = 8;

  private final Situation situation;
  private final Instant now;
  private final Fleet fleet;
  private final Room room;
  private final Room better;
  private final List<Placed> firm = new ArrayList<>();
  private final List<Placed> spare = new ArrayList<>();
  private final Claims claims = new Claims();
  private Future future;
  private final Map<Demand, Duration> failed = new HashMap<>();
  private final List<Grant> grants = new ArrayList<>();
  private final SequencedSet<String> asides = new LinkedHashSet<>();
  private final Set<GpuId> awaited = new HashSet<>();
  private final Map<String, Wait> waits = new HashMap<>();

  /**
   * A lease that gets devices.
   *
   * @param lease as it waits
   */
  public record Grant(Lease lease, List<Gpu> gpus) {}

  /**
   * A decision.
   *
   * @param grants in their order
   * @param asides the ids of spare leases that are to be put aside, for others who wait for that
   * @param awaited the devices that those wait for
   */
  public record Decision(List<Grant> grants, SequencedSet<String> asides, Set<GpuId> awaited) {}

  /** Why one waits, and until when at the latest; {@link Instant#EPOCH} if that is not known. */
  private record Wait(Cause cause, Instant earliest, List<String> leases) {}

  /** Two that want the same fail alike, but for how long they want it. */
  private record Demand(LeaseRequest request) {
    static Demand of(LeaseRequest request) {
      return new Demand(
          LeaseRequest.builder()
              .gpus(request.gpus())
              .model(request.model())
              .architecture(request.architecture())
              .memory(request.memory())
              .share(request.share())
              .mostNodes(request.mostNodes())
              .mode(request.mode())
              .profile(request.profile())
              .service(request.service())
              .duration(SOON)
              .build());
    }
  }

  private Scheduling(Situation situation) {
    this.situation = situation;
    this.now = situation.now();
    this.fleet = new Fleet(situation.gpus());
    this.room = new Room(fleet);
    this.better = new Room(fleet);
    for (Lease lease : occupying(situation.holding())) {
      Placed placed = Placed.of(fleet, lease, end(lease));
      (isSpare(lease) ? spare : firm).add(placed);
      room.take(lease.request(), placed.places());
    }
    situation
        .closing()
        .forEach((gpu, from) -> fleet.place(gpu).ifPresent(place -> claims.close(place, from)));
    firm.forEach(placed -> better.take(placed.lease().request(), placed.places()));
  }

  /** Decides. */
  public static Decision decide(Situation situation) {
    Scheduling scheduling = new Scheduling(situation);
    scheduling.run();
    return new Decision(
        List.copyOf(scheduling.grants), scheduling.asides, Set.copyOf(scheduling.awaited));
  }

  /** Why one of those that wait does so, or what it would be given now. */
  public static Explanation explain(Situation situation, Lease lease) {
    Scheduling scheduling = new Scheduling(situation);
    scheduling.run();
    return scheduling.explanation(lease);
  }

  /** All that wait, with the reason of each, as one decision has it. */
  public static List<Waiting> waiting(Situation situation) {
    Scheduling scheduling = new Scheduling(situation);
    scheduling.run();
    List<Waiting> waiting = new ArrayList<>();
    for (Lease lease : order(situation)) {
      Optional<Wait> wait = Optional.ofNullable(scheduling.waits.get(lease.id()));
      waiting.add(
          new Waiting(
              lease,
              waiting.size() + 1,
              wait.map(Wait::cause),
              wait.map(Wait::earliest).orElse(situation.now())));
    }
    return waiting;
  }

  /** Whether devices can be kept for a lease with a date, beside all that is promised already. */
  public static boolean canPromise(Situation situation, LeaseRequest request) {
    Scheduling scheduling = new Scheduling(situation);
    scheduling.run();
    return scheduling.chooseAt(request, request.begin()).isPresent();
  }

  /** Those that have a date, and whose devices nobody can promise. */
  public static List<Lease> unkept(Situation situation) {
    Scheduling scheduling = new Scheduling(situation);
    return scheduling.keepDates().stream()
        .filter(lease -> scheduling.claims.of(lease).isEmpty())
        .toList();
  }

  /** Those that wait, in the order in which devices are offered to them as things are. */
  public static List<Lease> order(Situation situation) {
    Queue queue = new Queue(occupying(situation.holding()), situation.waiting(), situation.past());
    List<Lease> order = new ArrayList<>();
    for (Optional<Lease> next = queue.next(); next.isPresent(); next = queue.next()) {
      order.add(next.get());
    }
    return order;
  }

  private static List<Lease> occupying(List<Lease> leases) {
    return leases.stream().filter(lease -> lease.state().occupies()).toList();
  }

  /** The parts of each device that are given away, by its id. */
  public static Map<GpuId, Load> loads(List<Lease> holding) {
    Map<GpuId, Load> loads = new HashMap<>();
    for (Lease lease : occupying(holding)) {
      for (Gpu gpu : lease.gpus()) {
        loads.put(gpu.id(), Load.of(loads, gpu).plus(lease.request(), gpu));
      }
    }
    return loads;
  }

  private static boolean isSpare(Lease lease) {
    return lease.request().service() == ServiceClass.SPARE;
  }

  private void run() {
    List<Lease> dated = keepDates();
    for (Lease lease : dated) {
      Instant begin = lease.request().begin();
      boolean kept = claims.of(lease).isPresent();
      waits.put(
          lease.id(),
          new Wait(kept ? Cause.DATE : Cause.ABSENT, kept ? begin : Instant.EPOCH, List.of()));
    }
    List<Lease> waiting = situation.waiting().stream().filter(one -> !dated.contains(one)).toList();
    Queue queue = new Queue(occupying(situation.holding()), waiting, situation.past());
    for (Optional<Lease> next = queue.next(); next.isPresent(); next = queue.next()) {
      offer(next.get(), queue);
    }
  }

  /**
   * Those whose date has not come, the first date first; each has its claim, if it can have one.
   */
  private List<Lease> keepDates() {
    List<Lease> dated =
        situation.waiting().stream()
            .filter(lease -> lease.request().isAfter(now))
            .sorted(
                Comparator.comparing((Lease lease) -> lease.request().begin())
                    .thenComparing(Lease::requested)
                    .thenComparing(Lease::id))
            .toList();
    for (Lease lease : dated) {
      Instant begin = lease.request().begin();
      chooseAt(lease.request(), begin).ifPresent(places -> claims.add(lease, begin, places));
    }
    return dated;
  }

  private void offer(Lease lease, Queue queue) {
    LeaseRequest request = lease.request();
    Demand demand = Demand.of(request);
    Duration without = failed.get(demand);
    if (without != null && request.duration().compareTo(without) >= 0) {
      waits.put(lease.id(), new Wait(Cause.TURN, Instant.EPOCH, first(demand)));
      return;
    }
    Optional<int[]> chosen = room.choose(request, allowed(request));
    if (chosen.isPresent()) {
      grant(lease, chosen.get(), queue);
    } else if (!putAside(lease, queue)) {
      failed.put(demand, request.duration());
      claim(lease);
    }
  }

  private List<String> first(Demand demand) {
    return claims.all().stream()
        .map(claim -> claim.lease())
        .filter(lease -> Demand.of(lease.request()).equals(demand))
        .map(Lease::id)
        .limit(1)
        .toList();
  }

  /** A spare lease makes room for whoever has a claim, when the time has come. */
  private IntPredicate allowed(LeaseRequest request) {
    Instant end = now.plus(request.duration());
    boolean spare = request.service() == ServiceClass.SPARE;
    return place -> spare ? claims.isOpen(place, end) : claims.allow(place, now, end);
  }

  private void grant(Lease lease, int[] places, Queue queue) {
    take(lease, places, queue);
    grants.add(new Grant(lease, fleet.at(places)));
  }

  private void take(Lease lease, int[] places, Queue queue) {
    LeaseRequest request = lease.request();
    room.take(request, places);
    if (!isSpare(lease)) {
      better.take(request, places);
      add(new Placed(lease, places, now.plus(request.duration())));
    }
    queue.has(request, places.length);
  }

  private void add(Placed placed) {
    firm.add(placed);
    if (future != null) {
      future.add(placed);
    }
  }

  /** Looked into only where somebody waits. */
  private Future future() {
    if (future == null) {
      future = new Future(better, firm);
    }
    return future;
  }

  /** Has spare leases put aside where that makes room; until they are it waits. */
  private boolean putAside(Lease lease, Queue queue) {
    if (isSpare(lease) || spare.isEmpty()) {
      return false;
    }
    Optional<int[]> chosen = better.choose(lease.request(), allowed(lease.request()));
    chosen.ifPresent(
        places -> {
          List<Gpu> gpus = fleet.at(places);
          List<String> ids =
              spare.stream()
                  .filter(other -> other.has(places))
                  .map(other -> other.lease().id())
                  .toList();
          asides.addAll(ids);
          gpus.forEach(gpu -> awaited.add(gpu.id()));
          take(lease, places, queue);
          waits.put(lease.id(), new Wait(Cause.SPARE, now, ids));
        });
    return chosen.isPresent();
  }

  /** Nothing is kept for a spare lease. */
  private void claim(Lease lease) {
    LeaseRequest request = lease.request();
    boolean kept = room.choose(request, _ -> true).isPresent();
    boolean mayClaim = !isSpare(lease) && claims.all().size() < MOST_CLAIMS;
    Optional<Instant> earliest = mayClaim ? earliest(request) : Optional.empty();
    earliest.ifPresent(when -> claims.add(lease, when, chooseAt(request, when).orElseThrow()));
    Cause cause = kept ? Cause.KEPT : Cause.ROOM;
    if (earliest.isEmpty() && mayClaim) {
      cause = Cause.ABSENT;
    }
    waits.put(lease.id(), new Wait(cause, earliest.orElse(Instant.EPOCH), waitsFor(lease, kept)));
  }

  private List<String> waitsFor(Lease lease, boolean kept) {
    if (kept) {
      return claims.all().stream()
          .map(claim -> claim.lease().id())
          .filter(id -> !id.equals(lease.id()))
          .limit(MOST_NAMED)
          .toList();
    }
    int[] its = claims.of(lease).map(claim -> claim.places().stream().toArray()).orElse(new int[0]);
    return firm.stream()
        .filter(other -> other.has(its))
        .map(other -> other.lease().id())
        .limit(MOST_NAMED)
        .toList();
  }

  /** When a request has its devices, if all goes on as it is to. */
  private Optional<Instant> earliest(LeaseRequest request) {
    List<Instant> moments = future().moments();
    int low = 0;
    int high = moments.size();
    while (low < high) {
      int middle = (low + high) / 2;
      if (chooseAt(request, moments.get(middle)).isPresent()) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low < moments.size()
        ? Optional.of(moments.get(low))
        : claims.all().stream()
            .map(Claims.Claim::until)
            .sorted()
            .filter(moment -> chooseAt(request, moment).isPresent())
            .findFirst();
  }

  private Instant end(Lease lease) {
    if (lease.request().isCommon()) {
      return now.plus(UNKNOWN);
    }
    Instant soon = now.plus(SOON);
    return lease.expires().isAfter(soon) ? lease.expires() : soon;
  }

  /** The devices that a request could have at a later moment, as all are to end. */
  private Optional<int[]> chooseAt(LeaseRequest request, Instant when) {
    Instant end = when.plus(request.duration());
    return future().at(when).choose(request, place -> claims.allow(place, when, end));
  }

  private Explanation explanation(Lease lease) {
    LeaseRequest request = lease.request();
    Optional<Grant> grant =
        grants.stream().filter(one -> one.lease().id().equals(lease.id())).findFirst();
    if (grant.isPresent()) {
      return new Explanation(
          Optional.empty(),
          now,
          List.of(),
          grant.get().gpus(),
          request.gpus(),
          request.share(),
          request.duration());
    }
    Wait wait = waits.get(lease.id());
    return new Explanation(
        Optional.of(wait.cause),
        wait.earliest,
        wait.leases,
        List.of(),
        room.most(request, allowed(request)),
        share(request),
        longest(request));
  }

  /** The largest share that could be had now; memory of its own stays as it is. */
  private int share(LeaseRequest request) {
    if (request.mode().handsOver()) {
      return 0;
    }
    int low = 0;
    int high = request.share();
    while (low < high) {
      int middle = (low + high + 1) / 2;
      LeaseRequest smaller = request.toBuilder().share(middle).build();
      if (room.choose(smaller, allowed(smaller)).isPresent()) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** For how long its devices are free, as others have claims to them. */
  private Duration longest(LeaseRequest request) {
    return Stream.concat(claims.all().stream().map(Claims.Claim::from), claims.closings())
        .map(from -> Duration.between(now, from))
        .filter(time -> time.compareTo(SOON) >= 0 && time.compareTo(request.duration()) < 0)
        .sorted(Comparator.reverseOrder())
        .filter(time -> isFree(request.toBuilder().duration(time).build()))
        .findFirst()
        .orElse(Duration.ZERO);
  }

  private boolean isFree(LeaseRequest request) {
    return room.choose(request, allowed(request)).isPresent();
  }
}
