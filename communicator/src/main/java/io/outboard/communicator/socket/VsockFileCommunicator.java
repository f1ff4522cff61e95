// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Distance;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.Origin;
import java.io.IOException;
import java.net.MalformedURLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code vsock-uds:PATH:PORT}: the host's end of vsock as Firecracker and Cloud Hypervisor give it.
 * A guest's connection to port PORT of its host comes as a connection to the Unix socket {@code
 * PATH_PORT}; the virtual machine is configured with PATH. The peer of that socket is the
 * hypervisor's process, whoever in the guest has connected: it vouches for nobody, and neither
 * memory nor descriptors pass.
 */
public final class VsockFileCommunicator implements Communicator {
  /** The scheme. */
  public static final String SCHEME = "vsock-uds";

  private static final Capabilities CAPABILITIES = new Capabilities(Distance.HYPERVISOR);
  private static final Pattern PLACE = Pattern.compile("(?<path>.+):(?<port>[1-9][0-9]{0,4})");
  private static final int MOST = 0xffff;

  private final UnixCommunicator unix = new UnixCommunicator();

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
    return new OfGuest(endpoint, unix.listen(Endpoint.unix(socket(endpoint)), how));
  }

  @Override
  public int connect(Endpoint endpoint) throws IOException {
    throw new IOException(
        "'" + endpoint + "': only a hypervisor connects there; its guest says vsock://2:PORT");
  }

  /** The Unix socket that a hypervisor connects to. */
  static String socket(Endpoint endpoint) throws MalformedURLException {
    Matcher place = PLACE.matcher(endpoint.path());
    if (!place.matches() || Integer.parseInt(place.group("port")) > MOST) {
      throw new MalformedURLException(
          "'" + endpoint + "': expected vsock-uds:PATH:PORT, with a port of 1 to 65535");
    }
    return place.group("path") + "_" + place.group("port");
  }

  /** All connections are one guest's. */
  private record OfGuest(Endpoint endpoint, Listener unix) implements Listener {
    @Override
    public int accept() throws IOException {
      return unix.accept();
    }

    @Override
    public Origin origin(int descriptor) {
      return new Origin.Remote(endpoint.toString());
    }

    @Override
    public void close() {
      unix.close();
    }
  }
}
