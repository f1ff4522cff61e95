// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A lease's part of a device for a time. Rows are added and never changed.
 *
 * @param number of the row; rows that are added later have higher ones
 * @param lease the lease's id
 * @param tenant on whose account
 * @param consumer who used it
 * @param epoch of the grant
 * @param gpu the device
 * @param share thousandths of it; 0 for a session without a lease, which has it together with
 *     others
 * @param from when that began
 * @param to when it ended
 * @param bytesIn bytes that came from the lease's programs in that time; with several devices in
 *     the row of the first one
 * @param bytesOut bytes that went to them
 * @param busy for how long the device had work of the lease's programs, none where that was not
 *     measured: where nobody else could have the device
 * @param energy millijoules: the lease's share of what the device used in that time, none where
 *     that was not measured
 * @param last whether the lease is over with this row; one that ends while it is suspended has none
 * @param identity who used it, for accounting elsewhere
 * @param mode how it was used
 */
public record LedgerRow(
    long number,
    String lease,
    String tenant,
    String consumer,
    long epoch,
    Gpu gpu,
    int share,
    Instant from,
    Instant to,
    long bytesIn,
    long bytesOut,
    Optional<Duration> busy,
    OptionalLong energy,
    boolean last,
    Identity identity,
    LeaseMode mode) {}
