// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A few bytes that never change: a nonce, an identity, a digest. Comparing two takes the same time
 * wherever they differ; the text form does not show them, since some are secrets.
 */
public final class Bytes {
  private final byte[] bytes;

  private Bytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A copy of {@code bytes}. */
  public static Bytes of(byte... bytes) {
    return new Bytes(bytes.clone());
  }

  /** {@code count} zeros, which stand for "none". */
  public static Bytes zero(int count) {
    return new Bytes(new byte[count]);
  }

  /** {@code count} bytes that nobody can guess. */
  public static Bytes random(int count) {
    byte[] bytes = new byte[count];
    // Not a constant: a worker, which needs none, would wait for the providers at its start.
    new SecureRandom().nextBytes(bytes);
    return new Bytes(bytes);
  }

  /** How many there are. */
  public int length() {
    return bytes.length;
  }

  /** Whether all are zero. */
  public boolean isZero() {
    return equals(zero(bytes.length));
  }

  /** A copy. */
  public byte[] toArray() {
    return bytes.clone();
  }

  /** Two lower-case digits a byte. */
  public String hex() {
    return HexFormat.of().formatHex(bytes);
  }

  /** This, where it has {@code count} bytes; for constructors of messages. */
  Bytes exactly(int count) {
    if (bytes.length != count) {
      throw new IllegalArgumentException(count + " bytes are needed, not " + bytes.length);
    }
    return this;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && MessageDigest.isEqual(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "[" + bytes.length + " bytes]";
  }
}
