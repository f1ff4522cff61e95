// SPDX-License-Identifier: Apache-2.0
package io.outboard.office;

import io.outboard.lease.Identity;
import io.outboard.office.rest.Fields;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A lease that is not over, as the office tells of it.
 *
 * @param machine UUID of the virtual machine; empty for another consumer
 * @param job the consumer's id where that is a job; empty for another one
 * @param consumer in words of the adapter that asked for it
 * @param gpus how many
 * @param memory bytes of each that were asked for; 0 for whole ones
 * @param wanted the model that was asked for
 * @param model of its GPUs; empty before the grant
 * @param token for programs; empty before the grant, and in a list
 * @param endpoints where programs connect to; none in a list
 * @param granted when it got its GPUs; empty before the grant
 * @param expires when it ends; empty before the grant
 */
public record Lease(
    String id,
    String tenant,
    String machine,
    String job,
    String consumer,
    String state,
    String reason,
    long gpus,
    long memory,
    String wanted,
    String model,
    String token,
    List<String> endpoints,
    Optional<Instant> granted,
    Optional<Instant> expires) {
  private static final Set<String> ON_GPUS = Set.of("granted", "active", "idle");
  private static final Set<String> USED = Set.of("requested", "active", "draining");
  private static final Set<String> OVER = Set.of("released", "revoked", "expired");

  /** A copy. */
  public Lease {
    endpoints = List.copyOf(endpoints);
  }

  static Lease of(Fields fields) {
    return new Lease(
        fields.text("id"),
        fields.text("tenant"),
        consumer(fields, Identity.VM),
        consumer(fields, Identity.JOB),
        fields.text("consumer"),
        fields.text("state"),
        fields.text("reason"),
        fields.count("gpus"),
        fields.count("memory"),
        fields.text("wanted"),
        fields.text("model"),
        fields.text("token"),
        fields.texts("endpoints"),
        moment(fields.text("granted")),
        moment(fields.text("expires")));
  }

  private static String consumer(Fields fields, String type) {
    return fields.text("consumerType").equals(type) ? fields.text("consumerId") : "";
  }

  private static Optional<Instant> moment(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Whether it has GPUs now, which its programs use or can use. */
  public boolean hasGpus() {
    return ON_GPUS.contains(state);
  }

  /** Whether nobody else can have its GPUs now. */
  public boolean occupies() {
    return hasGpus() || state.equals("draining");
  }

  /** Whether it has had GPUs, and none of its programs uses them. */
  public boolean isUnused() {
    return !USED.contains(state) && !isOver();
  }

  /** Whether somebody has put it aside until he resumes it. */
  public boolean isHeld() {
    return state.equals("held");
  }

  public boolean isOver() {
    return OVER.contains(state);
  }
}
