// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

import io.outboard.api.json.Ordered;
import io.outboard.office.Lease;
import io.outboard.office.LeaseOffice;
import io.outboard.office.Part;
import io.outboard.openstack.cloud.Nova;
import io.outboard.openstack.cloud.Nova.Server;
import io.outboard.openstack.cloud.Placement;
import io.outboard.openstack.offer.PoolOffer;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The machines that hold a part of the pool in Placement and do not use it. */
public final class StaleMachines {
  private final Nova nova;
  private final Placement placement;
  private final LeaseOffice office;
  private final PoolOffer offer;
  private final MachineLeases machines;
  private final MachineWatch watch;

  public StaleMachines(
      Nova nova,
      Placement placement,
      LeaseOffice office,
      PoolOffer offer,
      MachineLeases machines,
      MachineWatch watch) {
    this.nova = nova;
    this.placement = placement;
    this.office = office;
    this.offer = offer;
    this.machines = machines;
    this.watch = watch;
  }

  /** Each of them, as JSON: the longest unused ones first. */
  public List<Map<String, Object>> list() throws IOException {
    List<Lease> leases = MachineLeases.of(office.leases());
    List<Map<String, Object>> stale = new ArrayList<>();
    for (String machine : holders()) {
      Optional<MachineLeases.Entitlement> held = machines.entitlement(machine);
      Optional<Server> server = nova.server(machine);
      Optional<Lease> lease =
          leases.stream()
              .filter(one -> one.machine().equals(machine) && watch.isOurs(one, server))
              .findFirst();
      if (held.isPresent() && lease.filter(one -> !one.isUnused()).isEmpty()) {
        stale.add(row(machine, server, held.get().part(), lease));
      }
    }
    stale.sort((one, other) -> since(one).compareTo(since(other)));
    return stale;
  }

  private Set<String> holders() throws IOException {
    Set<String> all = new TreeSet<>();
    for (String provider : offer.offered().keySet()) {
      all.addAll(placement.consumers(provider));
    }
    return all;
  }

  /** A consumer that is no machine is what a move has left, or has not finished. */
  private Map<String, Object> row(
      String machine, Optional<Server> server, Part held, Optional<Lease> lease) {
    Optional<UnusedLeases.Unused> unused = lease.flatMap(watch.unused()::of);
    return Ordered.of(
        "machine", machine,
        "name", server.map(Server::name).orElse(""),
        "project", server.map(Server::project).orElse(""),
        "status", server.map(Server::status).orElse("none"),
        "model", held.model(),
        "gpus", held.gpus(),
        "memory", held.memory(),
        "lease", lease.map(Lease::id).orElse(""),
        "state", lease.map(Lease::state).orElse("none"),
        "occupies", lease.filter(Lease::occupies).isPresent(),
        "since", unused.map(one -> one.since().toString()).orElse(null),
        "wasted", unused.map(one -> one.wasted().toSeconds()).orElse(0L));
  }

  /** Those of which nobody knows since when come first. */
  private static Instant since(Map<String, Object> row) {
    return row.get("since") instanceof String text ? Instant.parse(text) : Instant.EPOCH;
  }
}
