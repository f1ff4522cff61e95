// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.node;

import java.time.Instant;

/**
 * A device is to be out for maintenance.
 *
 * @param from the moment from which on nobody gets it, and until which others may have it
 * @param why for people; may be empty
 */
public record Closing(Instant from, String why) {}
