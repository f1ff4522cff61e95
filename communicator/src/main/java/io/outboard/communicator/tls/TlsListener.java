// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.tls;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Origin;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/**
 * Accepts encrypted connections; what {@link #accept} returns is the plain end of a relay. It
 * returns before hands are shaken, so that a client which takes its time holds up no other, and
 * whoever waits for the first bytes in vain gives up for both.
 */
final class TlsListener implements Listener {
  private final Listener tcp;
  private final TlsServer server;
  private final SSLContext context;
  private final int handshakeMs;
  private final Consumer<String> told;
  // Of the relays' plain ends; one that is accepted later under the same number takes its place.
  private final Map<Integer, Origin> origins = new ConcurrentHashMap<>();

  /**
   * Takes over a listener for plain connections.
   *
   * @param handshakeMs how long a client may take to shake hands, in milliseconds
   */
  TlsListener(
      Listener tcp, TlsServer server, SSLContext context, int handshakeMs, Consumer<String> told) {
    this.tcp = tcp;
    this.server = server;
    this.context = context;
    this.handshakeMs = handshakeMs;
    this.told = told;
  }

  @Override
  public Endpoint endpoint() {
    Endpoint at = tcp.endpoint();
    return new Endpoint(TlsCommunicator.SCHEME, "", at.host(), at.port(), "");
  }

  @Override
  public int accept() throws IOException {
    int client = tcp.accept();
    if (client == CLOSED) {
      return CLOSED;
    }
    int[] pair = new int[2];
    int made = Sockets.socketpair(pair);
    if (made < 0) {
      Posix.close(client);
      Errno.check(made, "cannot serve a client at " + endpoint());
    }
    TlsStream secure = new TlsStream(server.engine(context), client);
    origins.put(pair[1], tcp.origin(client));
    new TlsRelay(secure, pair[0], this::failed).startWithHandshake(handshakeMs);
    return pair[1];
  }

  private void failed(String why) {
    told.accept("an encrypted connection at " + endpoint() + " failed: " + why);
  }

  /** Nobody vouches for it: a certificate of the client's is asked for beside the token. */
  @Override
  public Origin origin(int descriptor) {
    return origins.get(descriptor);
  }

  @Override
  public void close() {
    tcp.close();
  }
}
