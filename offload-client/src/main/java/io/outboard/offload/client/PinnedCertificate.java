// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.client;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Trusts one certificate by its SHA-256, whatever its name and dates. */
final class PinnedCertificate implements X509TrustManager {
  private final byte[] pin;

  private PinnedCertificate(byte[] pin) {
    this.pin = pin;
  }

  static SSLSocketFactory factory(String pin) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new PinnedCertificate(Code.bytes(pin))}, null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has TLS", e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    try {
      byte[] seen = MessageDigest.getInstance("SHA-256").digest(chain[0].getEncoded());
      if (!Arrays.equals(seen, pin)) {
        throw new CertificateException("the certificate is not the pinned one");
      }
    } catch (NoSuchAlgorithmException e) {
      throw new CertificateException(e);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("only servers are pinned");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
