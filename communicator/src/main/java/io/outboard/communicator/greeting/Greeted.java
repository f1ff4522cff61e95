// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.greeting;

import io.outboard.communicator.region.GuestMemory;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Token;
import java.util.Optional;

/**
 * A client that may come in; it now waits for a Welcome or a Refusal.
 *
 * @param hello what it said; only {@code peer} says who it is
 * @param peer who it is
 * @param proven the token that it has proven, where it was challenged
 * @param serverProof for the Welcome: zero where the client was not challenged
 * @param regions the scheme of the communicator that has regions of its own; empty where there is
 *     none
 * @param memory that this machine shares with the guest that it comes from
 */
public record Greeted(
    Hello hello,
    Peer peer,
    Optional<Token> proven,
    Bytes serverProof,
    String regions,
    Optional<GuestMemory> memory) {
  /** One whose communicator has no regions of its own. */
  public Greeted(Hello hello, Peer peer, Optional<Token> proven, Bytes serverProof) {
    this(hello, peer, proven, serverProof, "", Optional.empty());
  }

  /** The same where no memory can be shared, whatever the client wants. */
  public Greeted withoutRegion() {
    return new Greeted(hello.withoutRegion(), peer, proven, serverProof, "", Optional.empty());
  }

  /** The same over a communicator that has regions of its own. */
  public Greeted withRegionsOf(String scheme) {
    return new Greeted(hello, peer, proven, serverProof, scheme, Optional.empty());
  }

  /** The same from a guest with which this machine shares memory. */
  public Greeted withMemory(GuestMemory shared) {
    return new Greeted(hello, peer, proven, serverProof, "", Optional.of(shared));
  }
}
