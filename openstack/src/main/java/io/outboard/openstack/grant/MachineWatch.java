// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;

import io.outboard.office.Lease;
import io.outboard.office.LeaseOffice;
import io.outboard.office.rest.RestException;
import io.outboard.openstack.cloud.Nova;
import io.outboard.openstack.cloud.Nova.Server;
import io.outboard.openstack.offer.GpuModel;
import io.outboard.openstack.offer.Offered;
import io.outboard.openstack.offer.PoolOffer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps leases in step with machines and Placement with the pool, whatever was lost meanwhile.
 * Where Nova or Placement does not answer, no lease is ended.
 */
public final class MachineWatch {
  private static final System.Logger LOG = System.getLogger(MachineWatch.class.getName());

  /** Machines of these states do not run, and begin anew when they do. */
  private static final Set<String> OFF =
      Set.of("SHUTOFF", "SHELVED", "SHELVED_OFFLOADED", "SOFT_DELETED", "DELETED");

  private static final Set<String> STILL = Set.of("PAUSED", "SUSPENDED");

  private final Nova nova;
  private final LeaseOffice office;
  private final PoolOffer offer;
  private final MachineLeases machines;
  private final InstantSource clock;
  private final UnusedLeases unused = new UnusedLeases();
  private Set<String> strange = new HashSet<>();

  public MachineWatch(
      Nova nova, LeaseOffice office, PoolOffer offer, MachineLeases machines, InstantSource clock) {
    this.nova = nova;
    this.office = office;
    this.offer = offer;
    this.machines = machines;
    this.clock = clock;
  }

  /**
   * Looks once.
   *
   * @return what was done, for the log
   * @throws IOException if the office or Placement does not answer, or Nova for some of the
   *     machines
   */
  public List<String> look() throws IOException {
    // A lease that is there now, and no machine later, has none any more.
    List<Lease> leases = MachineLeases.of(office.leases());
    machines.remember(leases);
    unused.look(leases, clock.instant());
    List<String> done = new ArrayList<>();
    IOException failure = null;
    try {
      offer(leases).ifPresent(done::add);
    } catch (IOException e) {
      failure = e;
    }
    // Of a pool that Placement has never had, no machine has anything that could be compared.
    Set<String> now = new HashSet<>();
    for (Lease lease : offer.offered().isEmpty() ? List.<Lease>of() : leases) {
      try {
        compare(lease, now).ifPresent(done::add);
      } catch (IOException e) {
        failure = e;
      }
    }
    strange = now;
    if (failure != null) {
      done.forEach(line -> LOG.log(System.Logger.Level.INFO, line));
      throw failure;
    }
    return done;
  }

  private Optional<String> offer(List<Lease> leases) throws IOException {
    Map<String, Long> leased =
        leases.stream()
            .filter(Lease::occupies)
            .collect(groupingBy(Offered::name, summingLong(Lease::gpus)));
    int changes = offer.keep(GpuModel.of(office.devices()), leased);
    return changes == 0
        ? Optional.empty()
        : Optional.of("Placement has the pool as it is now: changes " + changes);
  }

  /**
   * Looks at one machine, as something may have been done to it. Placement is not asked, since a
   * machine that moves has two allocations for a while.
   *
   * @return what was done, for the log
   */
  public List<String> look(String machine) throws IOException {
    List<String> done = new ArrayList<>();
    for (Lease lease : machines.of(machine)) {
      Optional<Server> server = nova.server(machine);
      if (isOurs(lease, server)) {
        Optional<String> why = over(server);
        (why.isPresent() ? end(lease, why.get()) : follow(lease, server.get().status()))
            .ifPresent(done::add);
      }
    }
    return done;
  }

  private Optional<String> compare(Lease lease, Set<String> now) throws IOException {
    Optional<Server> server = nova.server(lease.machine());
    if (!isOurs(lease, server)) {
      return Optional.empty();
    }
    Optional<String> why = over(server);
    if (why.isEmpty() && isStrange(lease)) {
      now.add(lease.id());
      if (strange.contains(lease.id())) {
        why = Optional.of("the machine has no such GPUs in Placement");
      }
    }
    return why.isPresent() ? end(lease, why.get()) : follow(lease, server.get().status());
  }

  /** Somebody's own may name a machine of others. */
  boolean isOurs(Lease lease, Optional<Server> server) {
    return server.isEmpty() || machines.isOf(lease, server.get().project());
  }

  /** Which leases are not used. */
  UnusedLeases unused() {
    return unused;
  }

  /** Why a machine has no lease any more. */
  private static Optional<String> over(Optional<Server> server) {
    if (server.isEmpty()) {
      return Optional.of("the machine is gone");
    }
    String status = server.get().status();
    return OFF.contains(status) && server.get().task().isEmpty()
        ? Optional.of("the machine is " + status.toLowerCase(Locale.ROOT))
        : Optional.empty();
  }

  /** While a machine is made or moved, Placement may have two allocations, or none. */
  private boolean isStrange(Lease lease) throws IOException {
    return machines
        .entitlement(lease.machine())
        .filter(wanted -> MachineLeases.fits(lease, wanted))
        .isEmpty();
  }

  private Optional<String> end(Lease lease, String why) throws IOException {
    machines.end(lease, why);
    return Optional.of(
        "lease %s of machine %s ends: %s".formatted(lease.id(), lease.machine(), why));
  }

  private Optional<String> follow(Lease lease, String status) throws IOException {
    try {
      if (STILL.contains(status) && lease.hasGpus()) {
        office.suspend(lease.id(), "the machine does not run");
        return Optional.of("lease " + lease.id() + " is put aside with its machine");
      }
      if (status.equals("ACTIVE") && lease.isHeld()) {
        office.resume(lease.id());
        return Optional.of("lease " + lease.id() + " is brought back with its machine");
      }
    } catch (RestException e) {
      // One that cannot be suspended: the machine keeps its GPUs then.
      LOG.log(System.Logger.Level.DEBUG, "a lease is not changed", e);
    }
    renew(lease);
    return Optional.empty();
  }

  /** One that has half of its time left at most. */
  private void renew(Lease lease) throws IOException {
    Duration half = machines.life().dividedBy(2);
    Instant now = clock.instant();
    boolean due = lease.expires().filter(end -> end.isBefore(now.plus(half))).isPresent();
    if (due) {
      office.renew(lease.id(), machines.life());
    }
  }
}
