// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.backend.supervision.SessionFigures;
import io.outboard.lease.Lease;
import java.time.Instant;

/**
 * A session of a program that is over.
 *
 * @param lease that it used
 * @param client the program, with its process
 * @param begin when it began, or this process took it over
 * @param end when it ended
 * @param figures of all of it
 * @param functions those that it called most when somebody looked last, each with its count
 */
public record EndedSession(
    Lease lease,
    String client,
    Instant begin,
    Instant end,
    SessionFigures figures,
    String functions) {}
