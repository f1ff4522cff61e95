// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.fabric8.kubernetes.api.model.Quantity;
import io.outboard.kubernetes.resource.GpuLease;
import io.outboard.kubernetes.resource.GpuLeaseSpec;
import io.outboard.lease.Identity;
import io.outboard.lease.account.Standing;
import io.outboard.office.Lease;
import io.outboard.office.LeaseOffice;
import io.outboard.office.Part;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The lease office, as a cluster asks it: each lease is known by the resource that it is for. */
final class ClusterOffice {
  private static final int WHOLE = 1000;

  private final LeaseOffice office;
  private final String cluster;
  private final LeaseTerms terms;

  /**
   * Makes one.
   *
   * @param cluster by which its leases are known, the unique name of nothing else
   */
  ClusterOffice(LeaseOffice office, String cluster, LeaseTerms terms) {
    this.office = office;
    this.cluster = cluster;
    this.terms = terms;
  }

  /** The leases of this cluster that are not over, by the unique names of their resources. */
  Map<String, List<Lease>> leases() throws IOException {
    Map<String, List<Lease>> found = new HashMap<>();
    String mark = cluster + "/";
    for (Lease lease : office.leases()) {
      if (lease.job().startsWith(mark)) {
        found.merge(lease.job().substring(mark.length()), List.of(lease), ClusterOffice::joined);
      }
    }
    return found;
  }

  private static List<Lease> joined(List<Lease> some, List<Lease> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  /** Asks for a lease, which may have to wait. */
  Lease request(GpuLease wanted, Standing standing) throws IOException {
    return office.request(
        new LeaseOffice.Request(
            standing,
            Identity.JOB,
            cluster + "/" + wanted.uid(),
            "kubernetes " + wanted.label(),
            part(wanted.getSpec()),
            terms.life(),
            terms.idle()));
  }

  private static Part part(GpuLeaseSpec spec) throws IOException {
    return new Part(
        Optional.ofNullable(spec.model()).orElse(""),
        spec.gpus(),
        bytes(spec.memory()),
        Optional.ofNullable(spec.share()).map(ClusterOffice::thousandths).orElse(WHOLE));
  }

  private static int thousandths(BigDecimal share) {
    return Math.max(1, share.movePointRight(3).intValue());
  }

  private static long bytes(String memory) throws IOException {
    try {
      return memory == null ? 0 : Quantity.getAmountInBytes(new Quantity(memory)).longValue();
    } catch (IllegalArgumentException e) {
      throw new IOException("memory: " + e.getMessage(), e);
    }
  }

  /** A lease with its token; empty for one that nobody knows any more. */
  Optional<Lease> find(String id) throws IOException {
    return office.known(id);
  }

  /** Renews one that has half of its time left at most. */
  void renew(Lease lease, Instant now) throws IOException {
    Duration half = terms.life().dividedBy(2);
    if (lease.expires().filter(end -> end.isBefore(now.plus(half))).isPresent()) {
      office.renew(lease.id(), terms.life());
    }
  }

  void release(Lease lease, String reason) throws IOException {
    office.release(lease.id(), reason);
  }
}
