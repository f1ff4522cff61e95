// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;

import io.outboard.lease.account.Standing;
import io.outboard.office.Lease;
import io.outboard.office.LeaseOffice;
import io.outboard.office.Part;
import io.outboard.office.rest.RestException;
import io.outboard.openstack.cloud.Placement;
import io.outboard.openstack.cloud.Placement.Allocation;
import io.outboard.openstack.offer.Offered;
import io.outboard.openstack.offer.PoolOffer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One lease for each machine: what Placement has allocated to it becomes a lease when Nova asks for
 * the machine's vendor data, as often as it asks.
 */
public final class MachineLeases {
  /** The beginning of the consumer's words, by which the leases of this adapter are known. */
  private static final String MARK = "nova ";

  /** Leases that are made at the same time; more machines wait for each other. */
  private static final int LOCKS = 64;

  private final Placement placement;
  private final PoolOffer offer;
  private final LeaseOffice office;
  private final CloudRules rules;
  private final LeaseTerms terms;
  private final Object[] locks = new Object[LOCKS];
  private final Map<String, String> ids = new ConcurrentHashMap<>();

  // By machine, those of any tenant that were there at the last look.
  private volatile Map<String, Set<String>> seen = Map.of();

  public MachineLeases(
      Placement placement,
      PoolOffer offer,
      LeaseOffice office,
      CloudRules rules,
      LeaseTerms terms) {
    this.placement = placement;
    this.offer = offer;
    this.office = office;
    this.rules = rules;
    this.terms = terms;
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new Object();
    }
  }

  /**
   * The part of the pool that a machine is to have.
   *
   * @param user id of the user to whom Placement has allocated it
   */
  record Entitlement(String user, Part part) {}

  /** The leases of machines, of all that the office has. */
  static List<Lease> of(List<Lease> all) {
    return all.stream()
        .filter(one -> !one.machine().isEmpty() && one.consumer().startsWith(MARK))
        .toList();
  }

  /** The part of the pool in the allocation of a machine of that project. */
  Optional<Entitlement> entitlement(String machine, String project) throws IOException {
    Allocation allocation = placement.allocation(machine);
    if (project.isEmpty() || !project.equals(allocation.project())) {
      return Optional.empty();
    }
    return entitlement(allocation);
  }

  private Optional<Entitlement> entitlement(Allocation allocation) {
    return offer.offered().entrySet().stream()
        .map(one -> part(allocation, one.getKey(), one.getValue()))
        .flatMap(Optional::stream)
        .map(part -> new Entitlement(allocation.user(), part))
        .findFirst();
  }

  private static Optional<Part> part(Allocation allocation, String provider, Offered offered) {
    return offered.part(allocation.of(provider, offered.resource()));
  }

  /** The part of the pool that a machine has, whosever it is. */
  Optional<Entitlement> entitlement(String machine) throws IOException {
    return entitlement(placement.allocation(machine));
  }

  /** Whether a lease is what a machine is to have. */
  static boolean fits(Lease lease, Entitlement wanted) {
    Part part = wanted.part();
    return lease.gpus() == part.gpus()
        && lease.memory() == part.memory()
        && lease.wanted().equals(part.model());
  }

  /**
   * The lease of a machine, which is made where there is none; empty for a machine without GPUs,
   * for one that is not there, where the project is not the machine's, and where no rule is for the
   * project.
   */
  public Optional<Lease> grant(Machine machine) throws IOException {
    Optional<Entitlement> wanted = entitlement(machine.id(), machine.project());
    Optional<Standing> standing =
        wanted.flatMap(one -> rules.machine(machine.project(), one.user()));
    if (standing.isEmpty()) {
      return Optional.empty();
    }
    synchronized (locks[Math.floorMod(machine.id().hashCode(), LOCKS)]) {
      return Optional.of(lease(machine, standing.get(), wanted.get()));
    }
  }

  private Lease lease(Machine machine, Standing standing, Entitlement wanted) throws IOException {
    Optional<Lease> there = living(machine, standing.tenant());
    if (there.isPresent()) {
      if (fits(there.get(), wanted)) {
        return there.get();
      }
      end(there.get(), "the machine is to have other GPUs");
    }
    Lease made =
        office.request(
            new LeaseOffice.Request(
                standing,
                machine.id(),
                MARK + machine.name(),
                wanted.part(),
                terms.life(),
                terms.idle()));
    ids.put(machine.id(), made.id());
    return made;
  }

  /**
   * With its token. Anybody may name a machine in a lease of his own tenant: that is not the
   * machine's.
   */
  private Optional<Lease> living(Machine machine, String tenant) throws IOException {
    Optional<Lease> known = found(ids.get(machine.id()));
    if (known.isPresent()) {
      return known;
    }
    for (Lease lease : of(office.leases())) {
      if (lease.machine().equals(machine.id()) && lease.tenant().equals(tenant)) {
        ids.put(machine.id(), lease.id());
        return found(lease.id());
      }
    }
    return Optional.empty();
  }

  private Optional<Lease> found(String id) throws IOException {
    try {
      return id == null
          ? Optional.empty()
          : Optional.of(office.find(id)).filter(lease -> !lease.isOver());
    } catch (RestException e) {
      if (e.status() == RestException.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Ends the lease of a machine. */
  void end(Lease lease, String reason) throws IOException {
    office.release(lease.id(), reason);
    ids.remove(lease.machine(), lease.id());
  }

  /** Remembers all leases of machines, and forgets machines whose lease is over. */
  void remember(List<Lease> living) {
    ids.values().retainAll(living.stream().map(Lease::id).toList());
    seen = living.stream().collect(groupingBy(Lease::machine, mapping(Lease::id, toSet())));
  }

  /** Whether a machine has a lease, as far as is known without asking. */
  boolean isKnown(String machine) {
    return ids.containsKey(machine) || seen.containsKey(machine);
  }

  /** The leases of a machine, of any tenant. */
  List<Lease> of(String machine) throws IOException {
    Set<String> known = new TreeSet<>(seen.getOrDefault(machine, Set.of()));
    Optional.ofNullable(ids.get(machine)).ifPresent(known::add);
    List<Lease> living = new ArrayList<>();
    for (String id : known) {
      found(id).ifPresent(living::add);
    }
    return living;
  }

  /** Whether a lease of a machine is for the tenant of the machine's project. */
  boolean isOf(Lease lease, String project) {
    return rules.machine(project, "").filter(one -> one.covers(lease.tenant())).isPresent();
  }

  Duration life() {
    return terms.life();
  }
}
