// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.certificate;

import io.outboard.wire.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes X.509 certificates (RFC 5280) of keys on the curve P-256, for operators without an
 * authority. The JDK reads certificates and makes none, other than by {@code keytool}: a process of
 * half a second for each, with key stores and passwords on the way.
 */
public final class Issuer {
  private static final String COMMON_NAME = "2.5.4.3";
  private static final String ECDSA_SHA256 = "1.2.840.10045.4.3.2";
  private static final String SUBJECT_KEY = "2.5.29.14";
  private static final String KEY_USAGE = "2.5.29.15";
  private static final String ALTERNATIVE_NAMES = "2.5.29.17";
  private static final String BASIC_CONSTRAINTS = "2.5.29.19";
  private static final String AUTHORITY_KEY = "2.5.29.35";
  private static final String EXTENDED_USAGE = "2.5.29.37";
  private static final String SERVER = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT = "1.3.6.1.5.5.7.3.2";

  private static final int DNS_NAME = 2;
  private static final int ADDRESS = 7;
  private static final int KEY_ID = 20;
  private static final int SERIAL_BITS = 127;
  private static final BigInteger VERSION_3 = BigInteger.TWO;

  /** Bit 0: signs (what a key of TLS does). */
  private static final byte[] SIGNS = Der.bits(7, new byte[] {(byte) 0x80});

  /** Bits 5 and 6: signs certificates and lists of revoked ones. */
  private static final byte[] SIGNS_CERTIFICATES = Der.bits(1, new byte[] {0x06});

  private final TlsIdentity authority;

  /** Issues in the name of an authority, which has its key here. */
  public Issuer(TlsIdentity authority) {
    this.authority = authority;
  }

  /** Makes an authority, which vouches for itself. */
  public static TlsIdentity authority(String name, Instant from, Instant until) {
    KeyPair keys = keys();
    List<byte[]> extensions =
        List.of(
            extension(BASIC_CONSTRAINTS, true, Der.sequence(Der.yes())),
            extension(KEY_USAGE, true, SIGNS_CERTIFICATES),
            extension(SUBJECT_KEY, false, Der.octets(keyId(keys.getPublic()))));
    Subject subject = new Subject(name(name), keys.getPublic(), from, until);
    X509Certificate own = sign(name(name), keys.getPrivate(), subject, extensions);
    return new TlsIdentity(List.of(own), keys.getPrivate());
  }

  /**
   * Makes the identity of a server.
   *
   * @param names names or addresses of the host, at least one
   */
  public TlsIdentity server(List<String> names, Instant from, Instant until) {
    byte[][] alternatives = names.stream().map(Issuer::alternative).toArray(byte[][]::new);
    byte[] extension = extension(ALTERNATIVE_NAMES, false, Der.sequence(alternatives));
    return issue(names.getFirst(), SERVER, List.of(extension), from, until);
  }

  /** Makes the identity of a client. */
  public TlsIdentity client(String name, Instant from, Instant until) {
    return issue(name, CLIENT, List.of(), from, until);
  }

  /**
   * Makes the certificate of a client that has its key, and keeps it to itself.
   *
   * @param key of {@link #keys}
   * @return the certificate, then the authority's
   */
  public List<X509Certificate> client(String name, PublicKey key, Instant from, Instant until) {
    return List.of(
        certificate(new Subject(name(name), key, from, until), CLIENT, List.of()),
        authority.certificate());
  }

  private TlsIdentity issue(
      String name, String usage, List<byte[]> more, Instant from, Instant until) {
    KeyPair keys = keys();
    Subject subject = new Subject(name(name), keys.getPublic(), from, until);
    return new TlsIdentity(
        List.of(certificate(subject, usage, more), authority.certificate()), keys.getPrivate());
  }

  private X509Certificate certificate(Subject subject, String usage, List<byte[]> more) {
    List<byte[]> extensions = new ArrayList<>(more);
    extensions.add(extension(BASIC_CONSTRAINTS, true, Der.sequence()));
    extensions.add(extension(KEY_USAGE, true, SIGNS));
    extensions.add(extension(EXTENDED_USAGE, false, Der.sequence(Der.oid(usage))));
    extensions.add(extension(SUBJECT_KEY, false, Der.octets(keyId(subject.key))));
    byte[] its = keyId(authority.certificate().getPublicKey());
    extensions.add(extension(AUTHORITY_KEY, false, Der.sequence(Der.implicit(0, its))));
    byte[] issuer = authority.certificate().getSubjectX500Principal().getEncoded();
    return sign(issuer, authority.key(), subject, extensions);
  }

  /** The names and uses in a certificate. */
  private record Subject(byte[] name, PublicKey key, Instant from, Instant until) {}

  private static X509Certificate sign(
      byte[] issuer, PrivateKey key, Subject subject, List<byte[]> extensions) {
    byte[] algorithm = Der.sequence(Der.oid(ECDSA_SHA256));
    byte[] signed =
        Der.sequence(
            Der.explicit(0, Der.integer(VERSION_3)),
            Der.integer(new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(0)),
            algorithm,
            issuer,
            Der.sequence(Der.time(subject.from), Der.time(subject.until)),
            subject.name,
            subject.key.getEncoded(),
            Der.explicit(3, Der.sequence(extensions.toArray(byte[][]::new))));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(key);
      signature.update(signed);
      byte[] whole = Der.sequence(signed, algorithm, Der.bits(0, signature.sign()));
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(whole));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes a pair of keys. */
  public static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] name(String common) {
    return Der.sequence(Der.set(Der.sequence(Der.oid(COMMON_NAME), Der.text(common))));
  }

  private static byte[] extension(String oid, boolean critical, byte[] value) {
    return critical
        ? Der.sequence(Der.oid(oid), Der.yes(), Der.octets(value))
        : Der.sequence(Der.oid(oid), Der.octets(value));
  }

  /** Any number that only this key has will do (RFC 7093, 2). */
  private static byte[] keyId(PublicKey key) {
    return Arrays.copyOf(Sha256.of(key.getEncoded()).toArray(), KEY_ID);
  }

  private static byte[] alternative(String name) {
    if (!isAddress(name) && !name.matches("[A-Za-z0-9*._-]+")) {
      throw new IllegalArgumentException("'" + name + "' is no name of a host");
    }
    return isAddress(name)
        ? Der.implicit(ADDRESS, address(name))
        : Der.implicit(DNS_NAME, name.getBytes(StandardCharsets.US_ASCII));
  }

  private static boolean isAddress(String name) {
    return name.contains(":") || name.matches("[0-9.]+");
  }

  private static byte[] address(String literal) {
    try {
      return InetAddress.ofLiteral(literal).getAddress();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + literal + "' is not an address", e);
    }
  }

  /** The text of a file with an identity's certificates. */
  public static String certificatesAsPem(TlsIdentity identity) throws IOException {
    return certificatesAsPem(identity.chain());
  }

  /** The text of a file with certificates. */
  public static String certificatesAsPem(List<X509Certificate> certificates) throws IOException {
    StringBuilder text = new StringBuilder();
    try {
      for (X509Certificate certificate : certificates) {
        text.append(Pem.encode(Pem.CERTIFICATE, certificate.getEncoded()));
      }
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
    return text.toString();
  }

  /** The text of a file with an identity's key. */
  public static String keyAsPem(TlsIdentity identity) {
    return Pem.encode(Pem.KEY, identity.key().getEncoded());
  }
}
