// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Capability;
import io.outboard.communicator.Distance;

/**
 * {@code tunnel:PATH}: this machine's end of a tunnel to the Unix socket of a backend elsewhere, as
 * {@code ssh} makes one. The tunnel's own proofs stand for those of the backend, and it may break,
 * and be there again, while the backend stays.
 */
public final class TunnelCommunicator extends RelayCommunicator {
  private static final Capabilities CAPABILITIES =
      new Capabilities(Distance.NETWORK, Capability.VOUCHING);

  @Override
  public String scheme() {
    return "tunnel";
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }
}
