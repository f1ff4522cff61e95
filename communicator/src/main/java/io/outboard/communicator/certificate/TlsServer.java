// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.certificate;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * A server's side of TLS 1.3.
 *
 * @param identity who the server is, asked for with each connection
 * @param clients who vouches for clients, each of which then needs a certificate; none where
 *     clients need none
 * @param guests who vouches for clients that have a certificate where none is needed
 */
public record TlsServer(
    Supplier<TlsIdentity> identity, List<X509Certificate> clients, List<X509Certificate> guests) {
  /** The one version that is spoken. */
  public static final String VERSION = "TLSv1.3";

  /** A copy. */
  public TlsServer {
    clients = List.copyOf(clients);
    guests = List.copyOf(guests);
  }

  /** One that asks nobody for a certificate who needs none. */
  public TlsServer(Supplier<TlsIdentity> identity, List<X509Certificate> clients) {
    this(identity, clients, List.of());
  }

  /** One whose identity stays. */
  public TlsServer(TlsIdentity identity, List<X509Certificate> clients) {
    this(() -> identity, clients);
  }

  /** The same, where these vouch for clients too. */
  public TlsServer welcoming(List<X509Certificate> more) {
    return new TlsServer(identity, clients, more);
  }

  /**
   * Makes the context, for any number of connections. The version and the want of a client's
   * certificate are in {@link #parameters}.
   *
   * @throws IOException if the identity cannot be used
   */
  public SSLContext context() throws IOException {
    try {
      SSLContext context = SSLContext.getInstance(VERSION);
      List<X509Certificate> trusted = Stream.concat(clients.stream(), guests.stream()).toList();
      context.init(
          new KeyManager[] {new CurrentIdentity(identity)}, TlsTrust.managers(trusted), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificate cannot be used: " + e.getMessage(), e);
    }
  }

  /** The settings of each connection of a context. */
  public SSLParameters parameters() {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(new String[] {VERSION});
    if (clients.isEmpty()) {
      parameters.setWantClientAuth(!guests.isEmpty());
    } else {
      parameters.setNeedClientAuth(true);
    }
    return parameters;
  }

  /** An engine for a connection of a context of {@link #context}. */
  public SSLEngine engine(SSLContext context) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    engine.setSSLParameters(parameters());
    return engine;
  }
}
