// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A lease.
 *
 * @param id by which people and programs name it
 * @param request what it is to be
 * @param state its state
 * @param epoch of its grant; no two grants of a store have the same, later ones have higher ones; 0
 *     before
 * @param gpus its devices, in the order in which its sessions see them; empty before and after
 * @param requested when it was asked for
 * @param granted when it got its devices; {@link Instant#EPOCH} before
 * @param expires when it ends at the latest; {@link Instant#EPOCH} before it is granted
 * @param ended when it was over; {@link Instant#EPOCH} before
 * @param reason why it is in its state, for people
 */
public record Lease(
    String id,
    LeaseRequest request,
    LeaseState state,
    long epoch,
    List<Gpu> gpus,
    Instant requested,
    Instant granted,
    Instant expires,
    Instant ended,
    String reason) {
  /** Copies the list. */
  public Lease {
    gpus = List.copyOf(gpus);
  }

  /** One that is asked for. */
  public static Lease requested(String id, LeaseRequest request, Instant now) {
    return new Lease(
        id,
        request,
        LeaseState.REQUESTED,
        0,
        List.of(),
        now,
        Instant.EPOCH,
        Instant.EPOCH,
        Instant.EPOCH,
        "");
  }

  /** The same with its devices as they are known now. */
  public Lease with(UnaryOperator<Gpu> known) {
    return of(gpus.stream().map(known).toList());
  }

  /** The same with other devices. */
  public Lease of(List<Gpu> others) {
    return new Lease(id, request, state, epoch, others, requested, granted, expires, ended, reason);
  }

  /** The same with another share of its devices, in thousandths. */
  public Lease withShare(int share) {
    LeaseRequest other = request.toBuilder().share(share).build();
    return new Lease(id, other, state, epoch, gpus, requested, granted, expires, ended, reason);
  }

  /** The same in another state. */
  public Lease in(LeaseState other) {
    return new Lease(id, request, other, epoch, gpus, requested, granted, expires, ended, reason);
  }

  /** The same with another end. */
  public Lease until(Instant other) {
    return new Lease(id, request, state, epoch, gpus, requested, granted, other, ended, reason);
  }

  /** When it is to be granted at the latest, if there is such a target. */
  public Optional<Instant> due() {
    Instant from = request.begin().isAfter(requested) ? request.begin() : requested;
    return request.within().isZero() ? Optional.empty() : Optional.of(from.plus(request.within()));
  }

  /** On whose account. */
  public String tenant() {
    return request.tenant();
  }

  /** The least memory that it has on any of its devices, in bytes; 0 before it has devices. */
  public long memory() {
    return gpus.stream().mapToLong(request::memoryOf).min().orElse(0);
  }
}
