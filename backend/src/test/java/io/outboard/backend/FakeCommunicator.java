// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Capability;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Distance;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.socket.UnixCommunicator;
import java.io.IOException;

/**
 * {@code fake:PATH}: a communicator that nothing else knows of, with shared memory, as a hypervisor
 * may give it. It does not vouch, though its socket could.
 */
public class FakeCommunicator implements Communicator {
  private final Communicator unix = new UnixCommunicator();

  @Override
  public String scheme() {
    return "fake";
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(Distance.HYPERVISOR, Capability.REGIONS, Capability.DESCRIPTORS);
  }

  /** Its connections come from the owner; its endpoint is of this scheme. */
  @Override
  public Listener listen(Endpoint endpoint, Listening how) throws IOException {
    Listener below = unix.listen(Endpoint.unix(endpoint.requirePath()), how);
    return new Renamed(endpoint, below);
  }

  @Override
  public int connect(Endpoint endpoint) throws IOException {
    return unix.connect(Endpoint.unix(endpoint.requirePath()));
  }
}
