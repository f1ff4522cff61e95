// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;

/**
 * The instructions for somebody who signs in with another device (RFC 8628, 3.2).
 *
 * @param secret by which the provider knows who waits
 * @param user what somebody types at the provider
 * @param where there
 * @param direct the same with the code in it; the plain one where there is none
 * @param pause between two questions whether it is done
 * @param until when it is given up
 */
public record DeviceCode(
    String secret, String user, URI where, URI direct, Duration pause, Instant until) {}
