// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.backend.supervision.SessionActivity;
import io.outboard.backend.suspend.DeviceMove;
import io.outboard.backend.suspend.SuspensionException;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.schedule.LivingLeases;
import io.outboard.lease.schedule.Relocation;
import io.outboard.lease.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Puts aside what leases have on their devices, and brings it back once it is wanted and has room.
 * The broker's monitor guards the state of that. Sessions are asked, suspended and resumed outside
 * of it, as that takes its time.
 */
public final class Suspensions {
  /** How long a suspended lease that is wanted waits for its devices, and for what it had. */
  private static final Duration RESUME = Duration.ofHours(1);

  /** How long calls and work of a spare lease may still take that is put aside. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Broker broker;
  private final LivingLeases leases;
  private final UsedLeases used;
  private final InstantSource clock;
  // Suspended leases that are to be resumed when their devices have room, and since when.
  private final Map<String, Instant> wanting = new LinkedHashMap<>();
  // By their ids, spare leases that are just being put aside.
  private final Set<String> asides = new HashSet<>();

  Suspensions(Broker broker, LivingLeases leases, UsedLeases used, InstantSource clock) {
    this.broker = broker;
    this.leases = leases;
    this.used = used;
    this.clock = clock;
  }

  /**
   * Puts aside what the sessions of a lease have on its devices, which others may have then. It is
   * resumed when it wants them again: a call of a program, a new program, or {@link #resume}.
   * Nothing where it is suspended already.
   *
   * @param patience how long calls and work that are under way may still take
   * @throws LeaseException if that is not possible: all goes on then
   */
  public Lease suspend(String id, Duration patience, String reason) throws LeaseException {
    return suspend(id, LeaseState.SUSPENDED, patience, reason);
  }

  /**
   * As {@link #suspend}, but only {@link #resume} brings it back. Programs whose calls wait
   * meanwhile are told why.
   */
  public Lease hold(String id, Duration patience, String reason) throws LeaseException {
    return suspend(id, LeaseState.HELD, patience, reason);
  }

  private Lease suspend(String id, LeaseState how, Duration patience, String reason)
      throws LeaseException {
    Optional<Movement> movement = begin(id, how, reason);
    if (movement.isEmpty()) {
      return broker.find(id);
    }
    try {
      long begin = System.nanoTime();
      long bytes = movement.get().suspend(patience, session -> wanted(id, how, session));
      long milliseconds = (System.nanoTime() - begin) / 1_000_000;
      boolean portable = movement.get().canMove();
      String done = "%d MiB put aside in %d ms".formatted(bytes >> 20, milliseconds);
      return suspended(id, how, reason.isEmpty() ? done : reason + ", " + done, portable);
    } catch (SuspensionException e) {
      moved(id);
      throw new LeaseException("lease %s cannot be suspended: %s".formatted(id, e.getMessage()));
    }
  }

  /** None where it is suspended already. */
  private Optional<Movement> begin(String id, LeaseState how, String reason) throws LeaseException {
    synchronized (broker) {
      awaitMoved(id);
      Lease lease = leases.served(id);
      if (lease.state().isSuspended()) {
        keep(lease, how, reason);
        return Optional.empty();
      }
      if (!lease.state().admits()) {
        throw new LeaseException("lease %s is %s".formatted(id, lease.state().label()));
      }
      return Optional.of(new Movement(used.of(lease).move()));
    }
  }

  /** It is suspended already, and perhaps a call of it waits, or a program. */
  private void keep(Lease lease, LeaseState how, String reason) {
    if (how == LeaseState.HELD && lease.state() == LeaseState.SUSPENDED) {
      Lease held = leases.move(lease.id(), how, clock.instant(), reason);
      if (wanting.remove(lease.id()) != null) {
        used.of(held).all().forEach(session -> session.tell(waits(held)));
        broker.notifyAll();
      }
    }
  }

  private static String waits(Lease lease) {
    return "this program waits: " + held(lease);
  }

  /** The message where a held lease is wanted. */
  static String held(Lease lease) {
    return "lease %1$s is suspended until 'outboard resume %1$s'%2$s"
        .formatted(lease.id(), lease.reason().isEmpty() ? "" : ": " + lease.reason());
  }

  private Lease suspended(String id, LeaseState how, String reason, boolean portable)
      throws LeaseException {
    synchronized (broker) {
      if (leases.find(id).state().admits()) {
        used.settle(id);
        used.get(id).ifPresent(sessions -> sessions.portable(portable));
        leases.move(id, how, clock.instant(), reason);
      }
      moved(id);
      broker.tick();
      return leases.find(id);
    }
  }

  /** A suspension or resumption of a lease is over. */
  private void moved(String id) {
    synchronized (broker) {
      used.get(id).ifPresent(UsedLease::moved);
      if (!leases.isIn(id, LeaseState.SUSPENDED)) {
        wanting.remove(id);
      }
      broker.notifyAll();
    }
  }

  /**
   * Waits until a lease is not being suspended or resumed any more.
   *
   * @throws LeaseException if this thread is interrupted before
   */
  void awaitMoved(String id) throws LeaseException {
    broker.awaitWhile(() -> isMoving(id), Instant.MAX);
    if (isMoving(id)) {
      throw new LeaseException("interrupted: lease " + id + " is being suspended or resumed");
    }
  }

  /** Whether a lease is just being suspended or resumed. */
  public boolean isMoving(String id) {
    synchronized (broker) {
      return used.get(id).filter(UsedLease::isMoving).isPresent();
    }
  }

  /**
   * Returns the activity of all sessions of a lease. Those of a suspended lease are not asked;
   * nothing else has its sum of calls as long as there are no calls.
   */
  public SessionActivity activity(String id) {
    boolean working = false;
    long calls = 0;
    for (LeaseSession session : askable(id)) {
      SessionActivity one = session.activity();
      working |= one.working();
      calls += 1 + one.calls();
    }
    return new SessionActivity(working, calls);
  }

  private List<LeaseSession> askable(String id) {
    synchronized (broker) {
      return used.get(id).map(UsedLease::all).orElse(List.of());
    }
  }

  /** Marks a lease that has sessions as idle, or as active again. */
  public void mark(String id, boolean idle) {
    synchronized (broker) {
      LeaseState from = idle ? LeaseState.ACTIVE : LeaseState.IDLE;
      if (used.sessions(id) > 0 && leases.isIn(id, from)) {
        leases.move(id, idle ? LeaseState.IDLE : LeaseState.ACTIVE, clock.instant(), "");
      }
    }
  }

  /** A call of a lease waits that another process has suspended. */
  void wanted(String id, LeaseSession session) {
    wanted(id, LeaseState.SUSPENDED, session);
  }

  /** A call of a suspended lease waits. */
  private void wanted(String id, LeaseState how, LeaseSession session) {
    synchronized (broker) {
      Optional<Lease> lease = leases.get(id);
      if (lease.isEmpty()) {
        return;
      }
      if (how == LeaseState.HELD || lease.get().state() == LeaseState.HELD) {
        session.tell(waits(lease.get()));
        return;
      }
      wanting.putIfAbsent(id, clock.instant());
      broker.tick();
      broker.changed();
      if (leases.isIn(id, LeaseState.SUSPENDED)) {
        session.tellOfLack(lacks(lease.get()));
      }
    }
  }

  /** The message where others have the devices of a lease that is wanted. */
  private static String lacks(Lease lease) {
    return "this program waits: lease %s was suspended, and others have its GPUs; it ends in %d min"
            .formatted(lease.id(), RESUME.toMinutes())
        + " if none are free by then";
  }

  /**
   * Resumes a lease, once its devices have room; nothing where it is not suspended.
   *
   * @param limit how long to wait for that
   * @throws LeaseException if others have its devices until then
   */
  public Lease resume(String id, Duration limit) throws LeaseException {
    synchronized (broker) {
      awaitMoved(id);
      if (leases.living(id).state() == LeaseState.HELD) {
        leases.move(id, LeaseState.SUSPENDED, clock.instant(), "to be resumed");
      }
      if (leases.isIn(id, LeaseState.SUSPENDED)) {
        awaitResumed(id, limit);
      }
      return leases.find(id);
    }
  }

  private void awaitResumed(String id, Duration limit) throws LeaseException {
    wanting.putIfAbsent(id, clock.instant());
    broker.tick();
    broker.awaitWhile(() -> leases.isIn(id, LeaseState.SUSPENDED), clock.instant().plus(limit));
    awaitMoved(id);
    if (leases.isIn(id, LeaseState.SUSPENDED)) {
      throw new LeaseException(
          "others have the GPUs of lease %s; it is resumed when they are free".formatted(id));
    }
  }

  /**
   * Has a suspended lease have its devices again, for a new session.
   *
   * @throws LeaseException if others have them
   */
  void goOn(Lease lease) throws LeaseException {
    List<Gpu> place =
        place(lease)
            .orElseThrow(
                () ->
                    new LeaseException(
                        "lease %s is suspended, and others have its GPUs now"
                            .formatted(lease.id())));
    resume(lease, place);
  }

  /**
   * Resumes those that are wanted and have room, and ends those that have waited for too long.
   *
   * @param spare whether it is the turn of spare leases
   */
  void resumeWhoCan(Instant now, boolean spare) {
    for (String id : List.copyOf(wanting.keySet())) {
      Optional<Lease> lease = leases.get(id);
      if (lease.isEmpty()) {
        wanting.remove(id);
      } else if (lease.get().state() == LeaseState.SUSPENDED && isSpare(lease.get()) == spare) {
        resumeIfPossible(lease.get(), now);
      }
    }
  }

  private static boolean isSpare(Lease lease) {
    return lease.request().service() == ServiceClass.SPARE;
  }

  /** Puts a spare lease aside for better ones, beside the caller; it goes on by itself. */
  void putAside(Lease lease) {
    String id = lease.id();
    if (!asides.add(id)) {
      return;
    }
    Thread.ofPlatform().name("put aside " + id).daemon(true).start(() -> putAside(id));
  }

  private void putAside(String id) {
    try {
      Lease unused = suspend(id, PATIENCE, OrderedLeases.ASIDE);
      synchronized (broker) {
        wanting.putIfAbsent(id, clock.instant());
      }
    } catch (LeaseException | StoreException e) {
      synchronized (broker) {
        String why = OrderedLeases.ASIDE + ", and " + e.getMessage();
        leases
            .get(id)
            .filter(lease -> !lease.state().isSuspended())
            .ifPresent(lease -> broker.end(lease, LeaseState.REVOKED, clock.instant(), why));
      }
    } finally {
      synchronized (broker) {
        asides.remove(id);
        broker.tick();
        broker.changed();
      }
    }
  }

  private void resumeIfPossible(Lease lease, Instant now) {
    UsedLease sessions = used.of(lease);
    Optional<List<Gpu>> place =
        sessions.isMoving()
            ? Optional.empty()
            : place(lease).filter(gpus -> !isSpare(lease) || broker.isUnawaited(gpus));
    if (place.isPresent()) {
      resume(lease, place.get());
    } else if (!isSpare(lease) && !wanting.get(lease.id()).plus(RESUME).isAfter(now)) {
      wanting.remove(lease.id());
      sessions.stop("it was suspended, and others have had its GPUs for too long");
    }
  }

  /** Where it can go on now: where it was, or elsewhere if its sessions can. */
  private Optional<List<Gpu>> place(Lease lease) {
    boolean canMove = used.of(lease).canMove();
    List<Gpu> others = canMove ? unwanted(leases.inventory().available()) : List.of();
    return new Relocation(others, leases.loads()).choose(lease);
  }

  /** The room is the lease's at once; the sessions follow. */
  private void resume(Lease lease, List<Gpu> place) {
    String id = lease.id();
    wanting.remove(id);
    UsedLease sessions = used.of(lease);
    List<DeviceMove> moves = Movement.between(lease.gpus(), place);
    if (!moves.isEmpty()) {
      sessions.moveTo(leases.replace(id, place));
    }
    LeaseState next = sessions.isUsed() ? LeaseState.ACTIVE : LeaseState.IDLE;
    leases.move(id, next, clock.instant(), "");
    Movement movement = new Movement(sessions.move());
    Thread.ofPlatform()
        .name("resume " + id)
        .daemon(true)
        .start(
            () -> {
              movement.resume(moves, RESUME);
              moved(id);
            });
  }

  /** The clock was set to another time. */
  void shift(Duration by) {
    wanting.replaceAll((_, since) -> since.plus(by));
  }

  /** Those of some devices that no lease waits for that is to be resumed. */
  List<Gpu> unwanted(List<Gpu> gpus) {
    if (wanting.isEmpty()) {
      return gpus;
    }
    List<Gpu> kept =
        wanting.keySet().stream()
            .map(leases::get)
            .flatMap(Optional::stream)
            .filter(lease -> !isSpare(lease))
            .flatMap(lease -> lease.gpus().stream())
            .toList();
    return gpus.stream().filter(gpu -> kept.stream().noneMatch(gpu::is)).toList();
  }
}
