// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import java.time.Instant;

/**
 * The absence of a client that has lost its connection and may come back.
 *
 * @param since when it was seen to have gone
 * @param until when its session ends without it
 */
public record Absence(Instant since, Instant until) {}
