// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** What TLS needs, out of PEM files (RFC 7468). */
final class TlsFiles {
  private static final char[] NO_PASSWORD = new char[0];
  private static final Pattern KEY =
      Pattern.compile(
          "-----BEGIN PRIVATE KEY-----(?<body>[A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  private TlsFiles() {}

  /**
   * Reads them.
   *
   * @param certificate the certificate, and those that lead to its authority
   * @param key its key (PKCS #8)
   * @param clients the authorities whose certificates clients must have, if they must have one
   * @throws IOException if one cannot be used; the message says which and why
   */
  static SSLContext context(Path certificate, Path key, Optional<Path> clients) throws IOException {
    List<Certificate> chain = certificates(certificate);
    try {
      KeyStore own = empty();
      PrivateKey secret = key(key, chain.getFirst().getPublicKey());
      own.setKeyEntry("own", secret, NO_PASSWORD, chain.toArray(Certificate[]::new));
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), clients.isPresent() ? trust(clients.get()) : null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "%s and %s cannot be used: %s".formatted(certificate, key, e.getMessage()), e);
    }
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }

  private static List<Certificate> certificates(Path file) throws IOException {
    try {
      List<Certificate> found =
          List.copyOf(
              CertificateFactory.getInstance("X.509")
                  .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file))));
      if (found.isEmpty()) {
        throw new IOException(file + " has no certificate");
      }
      return found;
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " has no certificate that can be read: " + e.getMessage(), e);
    }
  }

  private static PrivateKey key(Path file, PublicKey of)
      throws GeneralSecurityException, IOException {
    Matcher found = KEY.matcher(new String(Files.readAllBytes(file), US_ASCII));
    if (!found.find()) {
      throw new IOException(
          file
              + " has no PRIVATE KEY of PKCS #8, without a password; 'openssl pkcs8 -topk8 -nocrypt' makes one");
    }
    byte[] body = Base64.getMimeDecoder().decode(found.group("body"));
    return KeyFactory.getInstance(of.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(body));
  }

  private static TrustManager[] trust(Path authorities)
      throws GeneralSecurityException, IOException {
    KeyStore store = empty();
    for (Certificate authority : certificates(authorities)) {
      store.setCertificateEntry("authority " + store.size(), authority);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    return trust.getTrustManagers();
  }
}
