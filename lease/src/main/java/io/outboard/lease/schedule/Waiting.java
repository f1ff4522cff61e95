// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Lease;
import java.time.Instant;
import java.util.Optional;

/**
 * A lease that waits.
 *
 * @param lease itself
 * @param place among those that wait, from 1
 * @param cause why it waits; none where it has its devices at once
 * @param earliest when it has its devices at the latest; {@link Instant#EPOCH} if nobody knows
 */
public record Waiting(
    Lease lease, int place, Optional<Explanation.Cause> cause, Instant earliest) {}
