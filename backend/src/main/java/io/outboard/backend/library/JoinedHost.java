// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import io.outboard.wire.Slot;
import io.outboard.wire.Welcome;

/**
 * Another host whose devices a session has too: a session with its backend, which the daemon has
 * opened.
 *
 * @param slot of its addresses and handles
 * @param name where its backend is, for people
 * @param socket the connection, after the Welcome; its taker's to close
 */
public record JoinedHost(Slot slot, String name, int socket, Welcome welcome) {}
