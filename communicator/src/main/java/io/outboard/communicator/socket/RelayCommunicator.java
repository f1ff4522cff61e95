// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Distance;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import java.io.IOException;

/**
 * {@code relay:PATH}: a Unix socket of this machine from which {@code outboard-connect} passes
 * everything on to a backend elsewhere. So nothing can be shared over it, nobody vouches for the
 * other side, and a backend that is silent is lost.
 */
public class RelayCommunicator implements Communicator {
  /** The scheme. */
  public static final String SCHEME = "relay";

  private static final Capabilities CAPABILITIES = new Capabilities(Distance.NETWORK);

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Listener listen(Endpoint endpoint, Listening how) throws IOException {
    throw new IOException(
        "'" + endpoint + "': a backend does not listen there; it listens at unix: or tls://");
  }

  @Override
  public int connect(Endpoint endpoint) throws IOException {
    return new UnixCommunicator().connect(Endpoint.unix(endpoint.requirePath()));
  }
}
