// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash of FIPS 180-4 that every Java platform has. */
public final class Sha256 {
  /** Bytes of a hash. */
  public static final int BYTES = 32;

  private Sha256() {}

  /** The hash of some bytes. */
  public static Bytes of(byte[] bytes) {
    return of(ByteBuffer.wrap(bytes));
  }

  /** The hash of what is left in a buffer, which is at its end then. */
  public static Bytes of(ByteBuffer bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(bytes);
      return Bytes.of(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
