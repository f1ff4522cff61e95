// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.greeting;

import io.outboard.wire.Token;
import java.util.Optional;

/**
 * The peer that results once a token has been proven.
 *
 * @param peer who it then is
 * @param proof the token to prove; none where the kernel vouches for the peer
 */
public record Claim(Peer peer, Optional<Token> proof) {
  /** Of a peer that the kernel vouches for. */
  public static Claim vouched(Peer peer) {
    return new Claim(peer, Optional.empty());
  }

  /** Of a peer that has to prove a token. */
  public static Claim proving(Token token, Peer peer) {
    return new Claim(peer, Optional.of(token));
  }
}
