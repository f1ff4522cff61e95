// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

import io.outboard.wire.Hello;
import io.outboard.wire.Token;
import java.util.Optional;

/** Which token a client has to prove. */
@FunctionalInterface
public interface Keys {
  /**
   * Finds it; empty where the client need not prove anything.
   *
   * @param hello what the client said; nothing of it is proven
   * @param vouched what {@link Listener#vouched} says
   * @throws RefusedException if the client is to be turned away
   */
  Optional<Token> key(Hello hello, boolean vouched) throws RefusedException;

  /** One token for all, for whom the transport does not vouch. */
  static Keys of(Token token) {
    return (_, vouched) -> vouched ? Optional.empty() : Optional.of(token);
  }
}
