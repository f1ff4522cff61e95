// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import java.time.Duration;

/**
 * How leases of a cluster are made.
 *
 * @param life how long one goes on that nobody renews
 * @param idle how long its GPUs may be idle before others can have them; zero for the node's limit
 */
public record LeaseTerms(Duration life, Duration idle) {}
