// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import io.outboard.communicator.Endpoint;
import io.outboard.wire.Token;
import java.util.Optional;

/**
 * Another host whose devices a session is to have too.
 *
 * @param endpoint where its backend is
 * @param token that proves there what the session may have; none where the kernel vouches
 */
public record HostAccess(Endpoint endpoint, Optional<Token> token) {}
