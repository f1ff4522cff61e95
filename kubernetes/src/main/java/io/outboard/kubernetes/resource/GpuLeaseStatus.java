// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.resource;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * The state of a lease.
 *
 * @param phase a word for people
 * @param lease its id at the lease office; null before it is asked for
 * @param model of its GPUs; null before the grant
 * @param secret with its credentials; null before the grant
 * @param observedGeneration of the specification that this is about
 * @param conditions one, {@code Granted}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record GpuLeaseStatus(
    Phase phase,
    String lease,
    String model,
    String secret,
    Long observedGeneration,
    List<Condition> conditions) {
  /** Nothing is known yet. */
  public static final GpuLeaseStatus NONE =
      new GpuLeaseStatus(null, null, null, null, null, List.of());

  /** A copy. */
  public GpuLeaseStatus {
    conditions = conditions == null ? List.of() : List.copyOf(conditions);
  }

  /** The words of {@code kubectl get gpuleases}. */
  public enum Phase {
    /** It waits for GPUs. */
    Pending,
    /** It has GPUs. */
    Granted,
    /** Others have its GPUs for a while. */
    Suspended,
    /** Nobody grants it. */
    Refused,
    /** It is over, and gets no GPUs any more. */
    Ended
  }
}
