// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.tls;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Capability;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Distance;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.SetupException;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.socket.TcpCommunicator;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * TLS 1.3 over TCP, {@code tls://[SHA256@]HOST[:PORT]}: the part before the {@code @} is the
 * fingerprint of the one certificate that is trusted. Whom a client trusts otherwise, and who it
 * is, are in the variables of {@link TlsClient}.
 */
public final class TlsCommunicator implements Communicator {
  /** The scheme. */
  public static final String SCHEME = "tls";

  /** The port where none is said. */
  public static final int PORT = 14901;

  private static final int HANDSHAKE_MS = 30_000;

  /** How long a client may take, in milliseconds: as long as for the greeting. */
  private static final int CLIENT_HANDSHAKE_MS = 15_000;

  private static final Capabilities CAPABILITIES =
      new Capabilities(Distance.NETWORK, Capability.ENCRYPTION);

  private final int clientHandshakeMs;

  /** Makes one, as whoever finds the communicators does. */
  public TlsCommunicator() {
    this(CLIENT_HANDSHAKE_MS);
  }

  /** {@code clientHandshakeMs} is how long a client of its listeners may take to shake hands. */
  TlsCommunicator(int clientHandshakeMs) {
    this.clientHandshakeMs = clientHandshakeMs;
  }

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
    TlsServer server =
        how.tls()
            .orElseThrow(
                () ->
                    new IOException(
                        endpoint
                            + " wants a certificate: --tls-cert and --tls-key name one,"
                            + " 'outboard cert server' makes one"));
    Listening reachable = new Listening(true, Optional.empty(), Optional.empty(), how.told());
    Listener tcp = new TcpCommunicator().listen(underneath(endpoint), reachable);
    try {
      return new TlsListener(tcp, server, server.context(), clientHandshakeMs, how.told());
    } catch (IOException e) {
      tcp.close();
      throw e;
    }
  }

  @Override
  public int connect(Endpoint endpoint) throws IOException {
    return connect(endpoint, System.getenv());
  }

  @Override
  public int connect(Endpoint endpoint, Map<String, String> environment) throws IOException {
    return connect(endpoint, client(endpoint, environment));
  }

  private static TlsClient client(Endpoint endpoint, Map<String, String> environment)
      throws SetupException {
    try {
      return TlsClient.of(endpoint, environment);
    } catch (IOException e) {
      throw new SetupException("cannot connect to " + endpoint + ": " + e.getMessage(), e);
    }
  }

  /** The same for a client that is known. */
  static int connect(Endpoint endpoint, TlsClient client) throws IOException {
    int socket = TcpCommunicator.connectTo(endpoint, PORT);
    TlsStream secure = new TlsStream(client.engine(endpoint), socket);
    try {
      secure.handshake(HANDSHAKE_MS);
      int[] pair = new int[2];
      Errno.check(Sockets.socketpair(pair), "cannot make a socket");
      new TlsRelay(secure, pair[0], TlsCommunicator::tell).start();
      return pair[1];
    } catch (IOException e) {
      Posix.close(socket);
      String why = "cannot connect to " + endpoint + ": " + TlsErrors.text(e);
      throw e instanceof SSLException ? new SetupException(why, e) : new IOException(why, e);
    }
  }

  private static void tell(String why) {
    System.err.println("outboard: the encrypted connection failed: " + why);
  }

  private static Endpoint underneath(Endpoint endpoint) throws IOException {
    return new Endpoint(
        TcpCommunicator.SCHEME, "", endpoint.requireHost(), endpoint.portOr(PORT), "");
  }
}
