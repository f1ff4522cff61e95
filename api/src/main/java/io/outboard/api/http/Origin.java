// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.http;

import java.net.InetAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/**
 * The other end of a connection.
 *
 * @param address from where it came
 * @param encrypted whether it is over TLS
 * @param certificate of the client, which has proven that it has its key; none where it has brought
 *     none
 */
public record Origin(
    InetAddress address, boolean encrypted, Optional<X509Certificate> certificate) {
  /** That of a connection whose handshake, if there is one, is over. */
  public static Origin of(InetAddress address, Socket socket) {
    return socket instanceof SSLSocket encrypted
        ? new Origin(address, true, certificate(encrypted))
        : clear(address);
  }

  /** One that is not encrypted. */
  public static Origin clear(InetAddress address) {
    return new Origin(address, false, Optional.empty());
  }

  private static Optional<X509Certificate> certificate(SSLSocket socket) {
    try {
      return socket.getSession().getPeerCertificates()[0] instanceof X509Certificate certificate
          ? Optional.of(certificate)
          : Optional.empty();
    } catch (SSLPeerUnverifiedException _) {
      return Optional.empty();
    }
  }
}
