// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import io.outboard.identity.rule.Claims;
import java.time.Instant;

/**
 * A token for which its provider vouches.
 *
 * @param claims what it says
 * @param until when it ends
 */
public record Verified(Claims claims, Instant until) {}
