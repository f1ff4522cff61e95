// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.idle;

import io.outboard.lease.IdleStep;
import io.outboard.lease.Lease;
import java.time.Duration;

/**
 * Something that is done about a lease that is not used.
 *
 * @param step what
 * @param lease as it was before
 * @param idle for how long it has not been used
 * @param next how long until the next step, {@link Duration#ZERO} if there is none
 */
public record IdleEvent(IdleStep step, Lease lease, Duration idle, Duration next) {}
