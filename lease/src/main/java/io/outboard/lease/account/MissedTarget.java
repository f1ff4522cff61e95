// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.account;

import java.time.Instant;

/**
 * A guaranteed lease that was not granted in time. Rows are added and never changed, one a lease.
 *
 * @param number of the row; rows that are added later have higher ones
 * @param lease the lease's id
 * @param tenant on whose account
 * @param consumer who asked for it
 * @param due when it was to be granted at the latest
 * @param cause why it waited then, as an explanation names that
 */
public record MissedTarget(
    long number, String lease, String tenant, String consumer, Instant due, String cause) {}
