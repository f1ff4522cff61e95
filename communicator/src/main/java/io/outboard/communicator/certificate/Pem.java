// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.certificate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files in PEM (RFC 7468): certificates, and private keys that no password guards. Keys may be in
 * PKCS #8, as in SEC 1 ({@code EC PRIVATE KEY}), or as in PKCS #1 ({@code RSA PRIVATE KEY}).
 */
public final class Pem {
  static final String CERTIFICATE = "CERTIFICATE";
  static final String KEY = "PRIVATE KEY";

  private static final String EC_KEY = "EC PRIVATE KEY";
  private static final String RSA_KEY = "RSA PRIVATE KEY";
  private static final String ENCRYPTED_KEY = "ENCRYPTED PRIVATE KEY";
  private static final String ENCRYPTED = "ENCRYPTED";

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);
  private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA", "RSASSA-PSS");
  private static final String EC = "1.2.840.10045.2.1";
  private static final String RSA = "1.2.840.113549.1.1.1";
  private static final int SEC1_PARAMETERS = 0xa0;
  private static final int LINE = 64;

  private Pem() {}

  /** A block, with the text between its marks. */
  private record Block(String label, String text) {
    byte[] bytes() {
      return Base64.getMimeDecoder().decode(text.strip());
    }
  }

  /**
   * Reads a file's certificates, in their order.
   *
   * @return at least one
   * @throws IOException if there is no such file, or no certificate in it
   */
  public static List<X509Certificate> certificates(Path file) throws IOException {
    return certificates(file.toString(), blocks(file));
  }

  /**
   * Reads a text's certificates, in their order.
   *
   * @param whose the text is, for the message of an error
   * @return at least one
   * @throws IOException if there is none
   */
  public static List<X509Certificate> certificates(String whose, String text) throws IOException {
    return certificates(whose, blocks(text));
  }

  private static List<X509Certificate> certificates(String whose, List<Block> blocks)
      throws IOException {
    List<X509Certificate> certificates = new ArrayList<>();
    for (Block block : blocks) {
      if (block.label.equals(CERTIFICATE)) {
        certificates.add(certificate(whose, block));
      }
    }
    if (certificates.isEmpty()) {
      throw new IOException(whose + " has no certificate");
    }
    return certificates;
  }

  private static X509Certificate certificate(String whose, Block block) throws IOException {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(block.bytes()));
    } catch (CertificateException | IllegalArgumentException e) {
      throw new IOException(whose + " has a certificate that cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Reads a file's private key, the first if there are several.
   *
   * @throws IOException if there is none, everybody may read it, or a password guards it
   */
  public static PrivateKey privateKey(Path file) throws IOException {
    List<Block> blocks = blocks(file);
    if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
      throw new IOException(
          file + " may be read by everybody; 'chmod 600 " + file + "' mends that");
    }
    return privateKey(file.toString(), blocks);
  }

  /**
   * Reads a text's private key, the first if there are several.
   *
   * @param whose the text is, for the message of an error
   * @throws IOException if there is none, or a password guards it
   */
  static PrivateKey privateKey(String whose, String text) throws IOException {
    return privateKey(whose, blocks(text));
  }

  private static PrivateKey privateKey(String whose, List<Block> blocks) throws IOException {
    for (Block block : blocks) {
      if (block.label.endsWith(KEY)) {
        return key(whose, block);
      }
    }
    throw new IOException(whose + " has no private key");
  }

  private static PrivateKey key(String whose, Block block) throws IOException {
    if (block.label.equals(ENCRYPTED_KEY) || block.text.contains(ENCRYPTED)) {
      throw new IOException(whose + ": a password guards the key; 'openssl pkey' takes it off");
    }
    try {
      return key(pkcs8(block));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(whose + " has a key that cannot be read: " + e.getMessage(), e);
    }
  }

  private static byte[] pkcs8(Block block) {
    return switch (block.label) {
      case KEY -> block.bytes();
      case EC_KEY -> wrapped(block.bytes(), EC, curve(block.bytes()));
      case RSA_KEY -> wrapped(block.bytes(), RSA, Der.nothing());
      default -> throw new IllegalArgumentException("nothing is known of a " + block.label);
    };
  }

  /** A key of its own form in PKCS #8 (RFC 5208, 5). */
  private static byte[] wrapped(byte[] key, String algorithm, byte[] parameters) {
    return Der.sequence(
        Der.integer(BigInteger.ZERO),
        Der.sequence(Der.oid(algorithm), parameters),
        Der.octets(key));
  }

  /** The curve of a key, which its file must name (RFC 5915, 3). */
  private static byte[] curve(byte[] key) {
    ByteBuffer parts = Der.take(ByteBuffer.wrap(key), Der.SEQUENCE);
    Der.take(parts, Der.INTEGER);
    Der.take(parts, Der.OCTETS);
    return Der.rest(Der.take(parts, SEC1_PARAMETERS));
  }

  /** The algorithm is in the key; the factory of another says that it is not its own. */
  private static PrivateKey key(byte[] pkcs8) throws GeneralSecurityException {
    InvalidKeySpecException none = new InvalidKeySpecException("it is of no known algorithm");
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (InvalidKeySpecException e) {
        none.addSuppressed(e);
      }
    }
    throw none;
  }

  private static List<Block> blocks(Path file) throws IOException {
    try {
      return blocks(Files.readString(file, ISO_8859_1));
    } catch (NoSuchFileException e) {
      throw new IOException("there is no file " + file, e);
    }
  }

  private static List<Block> blocks(String text) {
    List<Block> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(text);
    while (matcher.find()) {
      blocks.add(new Block(matcher.group(1), matcher.group(2)));
    }
    return blocks;
  }

  /** A block of text, with its marks. */
  static String encode(String label, byte[] der) {
    String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(label, body, label);
  }
}
