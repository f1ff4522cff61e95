// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Distance;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.SocketAddress;
import io.outboard.communicator.posix.Sockets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.MalformedURLException;
import java.util.Optional;

/**
 * {@code vsock://[CID][:PORT]}: between a virtual machine and its host (vsock(7)). A guest reaches
 * its host where no CID is said; a host listens for all its guests. The kernel tells guests apart
 * by their CID and knows nobody inside, so each needs a token.
 */
public final class VsockCommunicator implements Communicator {
  /** The scheme. */
  public static final String SCHEME = "vsock";

  /** The port where none is said. */
  public static final int PORT = TcpCommunicator.PORT;

  /** The host of this virtual machine, at the usual port. */
  public static final Endpoint HOST = new Endpoint(SCHEME, "", "2", PORT, "");

  private static final int CID_HOST = 2;
  private static final int HOST_MS = 500;
  private static final int ANY = -1;
  private static final int BACKLOG = 128;

  /**
   * No shutdown ends the waiting of a vsock listener, so it looks so often whether it is closed.
   */
  private static final int LOOK_MS = 250;

  private static final Capabilities CAPABILITIES = new Capabilities(Distance.HYPERVISOR);

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
    int cid = cid(endpoint, ANY);
    int socket = socket();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = SocketAddress.vsock(arena, cid, endpoint.portOr(PORT));
      Connected.checkListening(Sockets.bind(socket, address), endpoint);
      Connected.checkListening(Sockets.listen(socket, BACKLOG), endpoint);
      Sockets.setReadTimeout(socket, LOOK_MS);
      Endpoint actual = new Endpoint(SCHEME, "", endpoint.host(), Sockets.port(socket), "");
      return new SocketListener(actual, socket, _ -> {}, Optional.empty(), () -> {});
    } catch (IOException e) {
      Posix.close(socket);
      throw e;
    }
  }

  @Override
  public int connect(Endpoint endpoint) throws IOException {
    int cid = cid(endpoint, CID_HOST);
    int socket = socket();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = SocketAddress.vsock(arena, cid, endpoint.portOr(PORT));
      return connected(Connected.connect(socket, address), socket, endpoint);
    }
  }

  /** Whether somebody listens at {@link #HOST}, asked for half a second. */
  public static boolean hostAnswers() {
    int socket = Sockets.socket(Sockets.AF_VSOCK);
    if (socket < 0) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = SocketAddress.vsock(arena, CID_HOST, PORT);
      return Connected.connect(socket, address, HOST_MS) == 0;
    } finally {
      Posix.close(socket);
    }
  }

  private static int connected(int result, int socket, Endpoint endpoint) throws IOException {
    if (result < 0) {
      Posix.close(socket);
      checkDevice(result);
      Connected.check(result, endpoint);
    }
    return socket;
  }

  private static int socket() throws IOException {
    int socket = Sockets.socket(Sockets.AF_VSOCK);
    checkDevice(socket);
    return Errno.check(socket, "cannot make a socket");
  }

  /** Says what helps where the kernel lacks vsock, or the machine its device. */
  static void checkDevice(int result) throws IOException {
    if (result == -Errno.EAFNOSUPPORT || result == -Errno.ENODEV) {
      throw new IOException(
          "this machine has no vsock (AF_VSOCK): "
              + Errno.text(-result)
              + "; a guest needs the device from its hypervisor and the module"
              + " vmw_vsock_virtio_transport, a host the module vhost_vsock");
    }
  }

  /** The CID of an endpoint, of 32 bits without a sign. */
  static int cid(Endpoint endpoint, int otherwise) throws MalformedURLException {
    if (endpoint.host().isEmpty() && endpoint.path().isEmpty()) {
      return otherwise;
    }
    try {
      return Integer.parseUnsignedInt(endpoint.host());
    } catch (NumberFormatException e) {
      throw (MalformedURLException)
          new MalformedURLException(
                  "'" + endpoint + "': expected vsock://[CID][:PORT], a CID is a number")
              .initCause(e);
    }
  }
}
