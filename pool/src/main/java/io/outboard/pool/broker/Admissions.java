// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.supervision.Admitted;
import io.outboard.backend.supervision.HostAccess;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.Peer;
import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.Identity;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.Load;
import io.outboard.lease.node.LeasePart;
import io.outboard.lease.schedule.LivingLeases;
import io.outboard.lease.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lets sessions begin, of leases and without one, and does what their ends bring with them. Guarded
 * by the broker's monitor.
 */
public final class Admissions {
  /** How backends of other machines are reached. */
  private static final Set<String> AFAR = Set.of("tcp", "tls", "vsock");

  private final Broker broker;
  private final LivingLeases leases;
  private final UsedLeases used;
  private final InstantSource clock;

  Admissions(Broker broker, LivingLeases leases, UsedLeases used, InstantSource clock) {
    this.broker = broker;
    this.leases = leases;
    this.used = used;
    this.clock = clock;
  }

  /** Admits a session to the lease of a holder of its token. */
  public Admitted admit(Peer.Holder holder) throws LeaseException {
    synchronized (broker) {
      String id = leases.held(holder.lease(), holder.epoch()).id();
      broker.tick();
      broker.suspensions().awaitMoved(id);
      if (leases.isIn(id, LeaseState.SUSPENDED)) {
        broker.suspensions().goOn(leases.find(id));
      }
      Lease lease = leases.find(id);
      if (lease.state() == LeaseState.HELD) {
        throw new LeaseException(Suspensions.held(lease));
      }
      if (!lease.state().admits()) {
        throw new LeaseException(is(lease));
      }
      return use(lease);
    }
  }

  /** Why a session of a lease would not be admitted; one that is suspended would go on. */
  public Optional<String> hindrance(Peer.Holder holder) {
    synchronized (broker) {
      try {
        broker.tick();
        Lease lease = leases.held(holder.lease(), holder.epoch());
        List<HostAccess> unused = others(lease);
        return switch (lease.state()) {
          case HELD -> Optional.of(Suspensions.held(lease));
          case SUSPENDED -> Optional.empty();
          case LeaseState state -> state.admits() ? Optional.empty() : Optional.of(is(lease));
        };
      } catch (LeaseException e) {
        return Optional.of(e.getMessage());
      }
    }
  }

  private static String is(Lease lease) {
    return "lease %s is %s".formatted(lease.id(), lease.state().label());
  }

  /**
   * Why a session without a lease would not be admitted.
   *
   * @param user as of {@link #admitWithout}
   */
  public Optional<String> hindrance(String user) {
    synchronized (broker) {
      broker.tick();
      return broker.gpus().isEmpty() || !unleased().isEmpty()
          ? Optional.empty()
          : Optional.of(leased(user));
    }
  }

  private List<Gpu> unleased() {
    Map<GpuId, Load> loads = leases.loads();
    return broker.unwanted().stream().filter(gpu -> Load.of(loads, gpu).share() == 0).toList();
  }

  /**
   * Admits a session without a lease, to the devices that no lease has; without limits where there
   * are none to be leased, as of a backend that has OpenCL alone.
   *
   * @param user who it is of, where that is not the operator; for the ledger
   */
  public Admitted admitWithout(String consumer, String user) throws LeaseException {
    synchronized (broker) {
      if (broker.gpus().isEmpty()) {
        return Admitted.WITHOUT_LIMIT;
      }
      broker.tick();
      List<Gpu> free = unleased();
      if (free.isEmpty()) {
        throw new LeaseException(leased(user));
      }
      return use(grant(common(consumer, user, free), free, clock.instant()));
    }
  }

  /** Names the lease that ends first, but for the name of another tenant. */
  private String leased(String user) {
    return leases.holding().stream()
        .filter(lease -> LivingLeases.isLeased(lease) && lease.state().occupies())
        .min(Comparator.comparing(Lease::expires))
        .map(
            lease ->
                "each GPU is leased, until %s to %s: 'outboard leases' shows all, 'outboard lease' asks for one"
                    .formatted(
                        lease.expires().truncatedTo(ChronoUnit.SECONDS), holder(lease, user)))
        .orElse("there is no GPU that works: 'outboard nodes' shows why");
  }

  private static String holder(Lease lease, String user) {
    return user.isEmpty() || user.equals(lease.tenant())
        ? "tenant %s (lease %s)".formatted(lease.tenant(), lease.id())
        : "another tenant";
  }

  /** A session that had all devices before there were leases. */
  public Admitted adopt(String consumer, String user, Instant since) {
    synchronized (broker) {
      try {
        return broker.gpus().isEmpty()
            ? Admitted.WITHOUT_LIMIT
            : use(grant(common(consumer, user, broker.gpus()), broker.gpus(), since));
      } catch (LeaseException e) {
        throw new StoreException(e.getMessage(), e);
      }
    }
  }

  /** A session that has outlived the process before, and goes on with what it has. */
  Admitted inherit(String id, Allotment allotment) throws LeaseException {
    synchronized (broker) {
      Lease lease = leases.living(id);
      if (!lease.state().holds()) {
        throw new LeaseException(is(lease));
      }
      try {
        UsedLease sessions = used.of(lease);
        sessions.inherit(allotment);
        LeaseSession session = new LeaseSession(broker, lease, allotment, known(lease));
        session.inherited(lease.state().isSuspended());
        sessions.add(session);
        return session;
      } catch (IOException e) {
        throw new LeaseException(e.getMessage());
      }
    }
  }

  private static LeaseRequest common(String consumer, String user, List<Gpu> gpus) {
    return LeaseRequest.builder()
        .consumer(consumer)
        .gpus(gpus.size())
        .share(0)
        .duration(Duration.ofDays(1))
        .identity(new Identity("", "", user, "", ""))
        .build();
  }

  /** A session without a lease may last as long as it likes. */
  private Lease grant(LeaseRequest request, List<Gpu> gpus, Instant since) {
    Lease asked = leases.request(request, since);
    broker.changed();
    return leases.grant(asked.id(), gpus, since, Instant.EPOCH);
  }

  /** The hosts that have the other parts of a lease. */
  private List<HostAccess> others(Lease lease) throws LeaseException {
    List<HostAccess> others = new ArrayList<>();
    for (LeasePart part : broker.ordered().parts(lease)) {
      try {
        others.add(new HostAccess(afar(part), part.token()));
      } catch (IllegalArgumentException e) {
        throw new LeaseException("node %s: %s".formatted(part.node(), e.getMessage()));
      }
    }
    return others;
  }

  /** Another node could have this one use sockets and plug-ins of its own machine. */
  private static Endpoint afar(LeasePart part) {
    Endpoint endpoint = Endpoint.parse(part.endpoint());
    if (!AFAR.contains(endpoint.scheme())) {
      throw new IllegalArgumentException("programs reach it at " + endpoint + ", and not afar");
    }
    return endpoint;
  }

  /** A session that goes on has them already, and asks for them where it has lost one. */
  private List<HostAccess> known(Lease lease) {
    try {
      return others(lease);
    } catch (LeaseException e) {
      return List.of();
    }
  }

  private Admitted use(Lease lease) throws LeaseException {
    List<HostAccess> others = others(lease);
    UsedLease sessions = used.of(lease);
    try {
      LeaseSession session = new LeaseSession(broker, lease, allot(lease, sessions), others);
      sessions.add(session);
      activate(lease, sessions, session);
      return session;
    } catch (IOException e) {
      throw new LeaseException(e.getMessage());
    }
  }

  /** A session whose lease cannot be written down has not begun, and is not counted. */
  private void activate(Lease lease, UsedLease sessions, LeaseSession session) {
    try {
      if (lease.state() != LeaseState.ACTIVE) {
        leases.move(lease.id(), LeaseState.ACTIVE, clock.instant(), "");
        broker.changed();
      }
    } catch (StoreException e) {
      sessions.remove(session, SessionFigures.NOTHING);
      throw e;
    }
  }

  /** A lease of all devices needs no choice. */
  private Allotment allot(Lease lease, UsedLease sessions) throws IOException {
    boolean everything = lease.request().isCommon() && lease.gpus().size() == broker.gpus().size();
    return everything ? Allotment.EVERYTHING : sessions.allot();
  }

  /** A session has ended. */
  void ended(String id, LeaseSession session, SessionFigures figures) {
    synchronized (broker) {
      if (leases.get(id).isPresent()) {
        used.remove(id, session, figures);
        broker.tick();
        broker.changed();
      }
    }
  }

  /**
   * Whether its last session has ended, which has not been written down: with each step of the
   * broker that is tried again, as the store may have failed.
   */
  boolean isLeft(Lease lease) {
    boolean waits =
        switch (lease.state()) {
          case ACTIVE -> true;
          case DRAINING -> !lease.request().mode().handsOver();
          default -> lease.request().isCommon() || ending(lease).isPresent();
        };
    return waits && used.sessions(lease.id()) == 0 && !NodeLeases.isElsewhere(lease);
  }

  private Optional<LeaseState> ending(Lease lease) {
    return used.get(lease.id()).flatMap(UsedLease::ending);
  }

  /** Nobody uses it any more. */
  void leave(Lease lease) {
    Instant now = clock.instant();
    Optional<LeaseState> ending = ending(lease);
    if (ending.isPresent()) {
      broker.finish(lease, ending.get(), now, lease.reason());
    } else if (lease.request().isCommon()) {
      broker.finish(lease, LeaseState.RELEASED, now, "");
    } else if (lease.state() == LeaseState.DRAINING) {
      broker.finish(lease, LeaseState.RELEASED, now, "drained");
    } else if (lease.state() == LeaseState.ACTIVE) {
      leases.move(lease.id(), LeaseState.IDLE, now, "");
    }
  }
}
