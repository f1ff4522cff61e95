// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that lets a client in where the transport does not vouch for it: 32 random bytes,
 * written as 64 hexadecimal digits. It never travels; each side proves that it has it, with
 * HMAC-SHA256 (RFC 2104, FIPS 180-4) whose key is the 64 digits in lower case, in ASCII.
 */
public final class Token {
  private static final int BYTES = 32;

  /** The length of its text. */
  public static final int DIGITS = 2 * BYTES;

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] CLIENT = "outboard client".getBytes(US_ASCII);
  private static final byte[] SERVER = "outboard server".getBytes(US_ASCII);

  private static final byte[] NAME = "outboard key".getBytes(US_ASCII);
  private static final byte[] DERIVED = "outboard derived".getBytes(US_ASCII);

  private final String digits;

  private Token(String digits) {
    this.digits = digits;
  }

  /** A new one that nobody can guess. */
  public static Token random() {
    return new Token(Bytes.random(BYTES).hex());
  }

  /**
   * Reads one from text; space around it is dropped.
   *
   * @throws IllegalArgumentException if the text is not 64 hexadecimal digits; the message does not
   *     repeat it
   */
  public static Token parse(String text) {
    String digits = text.strip().toLowerCase(Locale.ROOT);
    if (!digits.matches("[0-9a-f]{" + 2 * BYTES + "}")) {
      throw new IllegalArgumentException("a token has " + 2 * BYTES + " hexadecimal digits");
    }
    return new Token(digits);
  }

  /** The 64 digits, to be given to a client. */
  public String digits() {
    return digits;
  }

  /** By which it is told from others; says nothing about the token. */
  public Bytes name() {
    return Bytes.of(Arrays.copyOf(authenticate(NAME).toArray(), Message.IDENTITY));
  }

  /** The stand-in for a token where none was proven: no secret. */
  public static Token none() {
    return new Token("0".repeat(2 * BYTES));
  }

  /** Another token, which only who has this one can make: one for each {@code purpose}. */
  public Token derived(String purpose) {
    return new Token(authenticate(DERIVED, Bytes.of(purpose.getBytes(UTF_8))).hex());
  }

  /** The client's proof that it has the token. */
  public Bytes clientProof(Bytes clientNonce, Bytes serverNonce) {
    return authenticate(CLIENT, clientNonce, serverNonce);
  }

  /** The backend's proof that it has the token. */
  public Bytes serverProof(Bytes serverNonce, Bytes clientNonce) {
    return authenticate(SERVER, serverNonce, clientNonce);
  }

  private Bytes authenticate(byte[] label, Bytes... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(digits.getBytes(US_ASCII), ALGORITHM));
      mac.update(label);
      for (Bytes part : parts) {
        mac.update(part.toArray());
      }
      return Bytes.of(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /** Does not show it. */
  @Override
  public String toString() {
    return "token";
  }
}
