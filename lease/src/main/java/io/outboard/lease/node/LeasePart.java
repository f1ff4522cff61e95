// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.node;

import io.outboard.wire.Bytes;
import io.outboard.wire.Token;
import java.util.Objects;
import java.util.Optional;

/**
 * The part of a lease that another node has: programs connect to one node of their lease, and that
 * one opens a session with each of the others.
 *
 * @param node the name of the other node
 * @param endpoint where its backend is; empty while that is not known
 * @param token with which the part is used; none until the other node has taken it
 */
public record LeasePart(String node, String endpoint, Optional<Token> token) {
  /** Whether programs can use it. */
  public boolean isTaken() {
    return token.isPresent() && !endpoint.isEmpty();
  }

  /** Tokens are the same that have the same name. */
  @Override
  public boolean equals(Object other) {
    return other instanceof LeasePart part
        && node.equals(part.node)
        && endpoint.equals(part.endpoint)
        && name().equals(part.name());
  }

  @Override
  public int hashCode() {
    return Objects.hash(node, endpoint, name());
  }

  private Optional<Bytes> name() {
    return token.map(Token::name);
  }
}
