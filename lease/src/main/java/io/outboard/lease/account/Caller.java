// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.account;

import java.time.Instant;

/**
 * Somebody who asks.
 *
 * @param id by which the audit log and limits name it: of a token of the office, else the source
 *     that vouches and the name there
 * @param standing what it is to the office
 * @param until when what it has shown ends
 */
public record Caller(String id, Standing standing, Instant until) {}
