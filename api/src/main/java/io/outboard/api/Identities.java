// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import io.outboard.lease.account.Caller;
import java.io.IOException;
import java.util.Optional;

/** Knows people by tokens of others, for which those vouch. */
@FunctionalInterface
public interface Identities {
  /** Knows nobody. */
  Identities NONE = _ -> Optional.empty();

  /**
   * The holder of a secret; empty where nobody vouches for it, or nothing is granted to its holder.
   *
   * @throws IOException if it cannot be known now, as who vouches does not answer
   */
  Optional<Caller> find(String secret) throws IOException;
}
