// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.tls;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Hashes that every JDK has. */
final class Hash {
  private Hash() {}

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
