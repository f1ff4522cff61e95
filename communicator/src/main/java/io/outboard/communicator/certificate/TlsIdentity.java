// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.certificate;

import io.outboard.wire.Sha256;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/**
 * The identity of a side in TLS.
 *
 * @param chain the certificate, then those that vouch for it; the last may be left out
 * @param key the certificate's
 */
public record TlsIdentity(List<X509Certificate> chain, PrivateKey key) {
  private static final String NAME = "own";

  /** By the algorithm of the key. */
  private static final Map<String, String> SIGNATURES =
      Map.of("EC", "SHA256withECDSA", "RSA", "SHA256withRSA", "EdDSA", "EdDSA");

  /** A copy. */
  public TlsIdentity {
    chain = List.copyOf(chain);
  }

  /**
   * Reads one.
   *
   * @param certificate a PEM file with the chain
   * @param key a PEM file that not everybody may read
   * @throws IOException if either cannot be used; the message says why
   */
  public static TlsIdentity read(Path certificate, Path key) throws IOException {
    TlsIdentity identity = new TlsIdentity(Pem.certificates(certificate), Pem.privateKey(key));
    if (!identity.belongsTogether()) {
      throw new IOException("%s is not the key of %s".formatted(key, certificate));
    }
    return identity;
  }

  /**
   * Reads one from a text that has the chain and the key.
   *
   * @param whose the text is, for the message of an error
   * @throws IOException if it cannot be used; the message says why
   */
  public static TlsIdentity parse(String whose, String text) throws IOException {
    TlsIdentity identity =
        new TlsIdentity(Pem.certificates(whose, text), Pem.privateKey(whose, text));
    if (!identity.belongsTogether()) {
      throw new IOException(whose + " has the key of another certificate");
    }
    return identity;
  }

  /** Whether the certificate's key vouches for what the private one has signed. */
  private boolean belongsTogether() {
    String scheme = SIGNATURES.get(certificate().getPublicKey().getAlgorithm());
    if (scheme == null) {
      return true;
    }
    try {
      Signature signature = Signature.getInstance(scheme);
      signature.initSign(key);
      byte[] signed = signature.sign();
      signature.initVerify(certificate().getPublicKey());
      return signature.verify(signed);
    } catch (GeneralSecurityException _) {
      return false;
    }
  }

  /** The certificate itself. */
  public X509Certificate certificate() {
    return chain.getFirst();
  }

  /** The certificate's name: the SHA-256 of its bytes, 64 hexadecimal digits. */
  public String fingerprint() {
    return fingerprint(certificate());
  }

  /** A certificate's name. */
  static String fingerprint(X509Certificate certificate) {
    try {
      return Sha256.of(certificate.getEncoded()).hex();
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** For a context of the JDK's. */
  public KeyManager[] managers() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setKeyEntry(NAME, key, new char[0], chain.toArray(X509Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }
}
