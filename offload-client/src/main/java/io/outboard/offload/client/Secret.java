// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.client;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A token: of the backend, or of a lease. It never travels. */
final class Secret {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int NAME = 16;

  private final byte[] key;

  Secret(String digits) {
    String all = digits.trim().toLowerCase(Locale.ROOT);
    if (!all.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException("a token has 64 hexadecimal digits");
    }
    key = all.getBytes(StandardCharsets.US_ASCII);
  }

  byte[] name() {
    return Arrays.copyOf(code("outboard key"), NAME);
  }

  byte[] clientProof(byte[] clientNonce, byte[] serverNonce) {
    return code("outboard client", clientNonce, serverNonce);
  }

  byte[] serverProof(byte[] serverNonce, byte[] clientNonce) {
    return code("outboard server", serverNonce, clientNonce);
  }

  private byte[] code(String label, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update(label.getBytes(StandardCharsets.US_ASCII));
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
