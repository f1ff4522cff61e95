// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.certificate;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Has each handshake use the identity of its moment. A handshake names what it has chosen and then
 * asks for the parts of that: the name is the certificate's, and the identity before is kept for
 * handshakes that have begun with it.
 */
final class CurrentIdentity extends X509ExtendedKeyManager {
  private final Supplier<TlsIdentity> source;
  private TlsIdentity current;
  private TlsIdentity before;
  private X509ExtendedKeyManager manager;

  CurrentIdentity(Supplier<TlsIdentity> source) throws GeneralSecurityException, IOException {
    this.source = source;
    this.current = source.get();
    this.before = current;
    this.manager = (X509ExtendedKeyManager) current.managers()[0];
  }

  @Override
  public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
    return name(choice -> choice.chooseEngineServerAlias(type, issuers, engine));
  }

  @Override
  public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
    return name(choice -> choice.chooseServerAlias(type, issuers, socket));
  }

  /** Asks the JDK's manager whether the identity fits. */
  private interface Choice {
    String of(X509ExtendedKeyManager manager);
  }

  private synchronized String name(Choice choice) {
    TlsIdentity now = source.get();
    if (!now.equals(current)) {
      exchange(now);
    }
    return choice.of(manager) == null ? null : current.fingerprint();
  }

  private void exchange(TlsIdentity now) {
    try {
      manager = (X509ExtendedKeyManager) now.managers()[0];
      before = current;
      current = now;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("a certificate that was read cannot be used", e);
    }
  }

  private synchronized TlsIdentity named(String alias) {
    return current.fingerprint().equals(alias) ? current : before;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return named(alias).chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return named(alias).key();
  }

  @Override
  public synchronized String[] getServerAliases(String type, Principal[] issuers) {
    return new String[] {current.fingerprint()};
  }

  @Override
  public synchronized String[] getClientAliases(String type, Principal[] issuers) {
    return new String[] {current.fingerprint()};
  }

  @Override
  public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
    return name(choice -> choice.chooseClientAlias(types, issuers, socket));
  }

  @Override
  public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
    return name(choice -> choice.chooseEngineClientAlias(types, issuers, engine));
  }
}
