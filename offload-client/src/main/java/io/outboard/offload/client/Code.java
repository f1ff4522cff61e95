// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The jar with the implementations: the backend has it already, or gets it once. It runs there only
 * if the operator lists its digest for the tenant.
 */
public final class Code {
  static final int DIGEST = 32;

  /** The largest jar that is sent. */
  static final int MOST = 64 << 20;

  private static final int HEXADECIMAL = 16;

  private final byte[] digest;
  private final byte[] jar;

  private Code(byte[] digest, byte[] jar) {
    this.digest = digest;
    this.jar = jar;
  }

  /** One that is sent where the backend does not have it. */
  public static Code of(byte[] jar) {
    if (jar.length == 0 || jar.length > MOST) {
      throw new IllegalArgumentException("a jar that is sent has 1 to " + MOST + " bytes");
    }
    try {
      return new Code(MessageDigest.getInstance("SHA-256").digest(jar), jar.clone());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The same of a file. */
  public static Code of(Path jar) throws IOException {
    return of(Files.readAllBytes(jar));
  }

  /** One that the backend has. */
  public static Code installed(String digest) {
    if (!digest.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException("a SHA-256 is 64 hexadecimal digits: " + digest);
    }
    return new Code(bytes(digest), new byte[0]);
  }

  static byte[] bytes(String digits) {
    byte[] bytes = new byte[digits.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), HEXADECIMAL);
    }
    return bytes;
  }

  byte[] digest() {
    return digest;
  }

  /** Empty where it is not sent. */
  byte[] jar() {
    return jar;
  }
}
