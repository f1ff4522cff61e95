// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.outboard.kubernetes.resource.GpuLease;
import io.outboard.kubernetes.resource.GpuLeaseStatus;
import io.outboard.kubernetes.resource.GpuLeaseStatus.Phase;
import io.outboard.office.Lease;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The finding of a look at a lease.
 *
 * @param reason a word for programs, as conditions and events have it
 * @param message for people
 * @param lease its id at the office; null where there is none
 * @param model of its GPUs; null where it has none
 */
record Finding(Phase phase, String reason, String message, String lease, String model) {
  private static final String TYPE = "Granted";

  static Finding of(Lease lease) {
    Phase phase = phase(lease);
    return switch (phase) {
      case Granted ->
          new Finding(
              phase,
              "GpuGranted",
              "%d x %s".formatted(lease.gpus(), lease.model()),
              lease.id(),
              lease.model());
      case Suspended ->
          new Finding(
              phase,
              "GpuSuspended",
              said(lease, "others have its GPUs until its programs call again"),
              lease.id(),
              lease.model());
      case Ended -> over(lease.id(), said(lease, "it was " + lease.state()));
      default ->
          new Finding(phase, "WaitingForGpu", said(lease, "no GPU is free yet"), lease.id(), null);
    };
  }

  private static String said(Lease lease, String otherwise) {
    return lease.reason().isEmpty() ? otherwise : lease.reason();
  }

  private static Phase phase(Lease lease) {
    if (lease.hasGpus()) {
      return Phase.Granted;
    }
    if (lease.isOver()) {
      return Phase.Ended;
    }
    return lease.state().equals("requested") ? Phase.Pending : Phase.Suspended;
  }

  static Finding refused(String message) {
    return new Finding(Phase.Refused, "LeaseRefused", message, null, null);
  }

  static Finding over(String lease, String message) {
    return new Finding(Phase.Ended, "LeaseEnded", message, lease, null);
  }

  /** Whether it is good news. */
  boolean isGranted() {
    return phase == Phase.Granted;
  }

  /** Whether somebody who has read the status knows more by it. */
  boolean isNews(GpuLeaseStatus told) {
    return told.phase() != phase
        || before(told).filter(one -> one.getMessage().equals(message)).isEmpty();
  }

  private static Optional<Condition> before(GpuLeaseStatus told) {
    return told.conditions().stream().filter(one -> one.getType().equals(TYPE)).findFirst();
  }

  /** The status with it. */
  GpuLeaseStatus status(GpuLease wanted, Instant now) {
    String granted = isGranted() ? "True" : "False";
    String since =
        before(wanted.told())
            .filter(one -> one.getStatus().equals(granted))
            .map(Condition::getLastTransitionTime)
            .orElse(now.toString());
    Long generation = wanted.getMetadata().getGeneration();
    Condition condition =
        new ConditionBuilder()
            .withType(TYPE)
            .withStatus(granted)
            .withReason(reason)
            .withMessage(message)
            .withLastTransitionTime(since)
            .withObservedGeneration(generation)
            .build();
    String secret = isGranted() ? wanted.secret() : wanted.told().secret();
    return new GpuLeaseStatus(phase, lease, model, secret, generation, List.of(condition));
  }
}
