// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;

/**
 * A client that may come in; it now waits for a Welcome or a Refusal.
 *
 * @param hello what it said
 * @param serverProof for the Welcome: zero where the client was not challenged
 */
public record Greeted(Hello hello, Bytes serverProof) {}
