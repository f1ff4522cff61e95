// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.certificate;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Whom a side of TLS trusts. */
public final class TlsTrust {
  private TlsTrust() {}

  /** Those for whom one of these vouches; where there is none, nobody. */
  public static TrustManager[] managers(List<X509Certificate> authorities)
      throws GeneralSecurityException, IOException {
    if (authorities.isEmpty()) {
      return new TrustManager[0];
    }
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (int i = 0; i < authorities.size(); i++) {
      store.setCertificateEntry("authority " + i, authorities.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }
}
