// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.certificate;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/**
 * A client's side of TLS 1.3.
 *
 * @param authorities who vouches for servers; where there are none, those that the JDK knows
 * @param identity who the client is, asked for with each connection; nobody where it is empty
 */
public record TlsCaller(
    List<X509Certificate> authorities, Optional<Supplier<TlsIdentity>> identity) {
  /** A copy. */
  public TlsCaller {
    authorities = List.copyOf(authorities);
  }

  /**
   * Makes the context, for any number of connections.
   *
   * @throws IOException if the authorities or the identity cannot be used
   */
  public SSLContext context() throws IOException {
    try {
      SSLContext context = SSLContext.getInstance(TlsServer.VERSION);
      KeyManager[] own =
          identity.isPresent() ? new KeyManager[] {new CurrentIdentity(identity.get())} : null;
      context.init(own, authorities.isEmpty() ? null : TlsTrust.managers(authorities), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }
}
