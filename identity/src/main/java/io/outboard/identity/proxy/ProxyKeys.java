// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.proxy;

import io.outboard.identity.oidc.RefusedTokenException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.List;

/**
 * Bounds keys that a stranger brings along, before anything is verified by them: a short one can be
 * found out, and one of many thousand digits would keep a processor busy for minutes.
 */
final class ProxyKeys {
  private static final int LEAST_BITS = 2_048;
  private static final int MOST_BITS = 8_192;
  private static final int MOST_EXPONENT_BITS = 32;

  private ProxyKeys() {}

  static void check(List<X509Certificate> chain) throws RefusedTokenException {
    for (X509Certificate one : chain) {
      if (!isGood(one.getPublicKey())) {
        throw new RefusedTokenException(
            "a key of the chain is of no known kind, or of a wrong size");
      }
    }
  }

  private static boolean isGood(PublicKey key) {
    if (key instanceof RSAPublicKey rsa) {
      int bits = rsa.getModulus().bitLength();
      return LEAST_BITS <= bits
          && bits <= MOST_BITS
          && rsa.getPublicExponent().bitLength() <= MOST_EXPONENT_BITS;
    }
    return key instanceof ECPublicKey;
  }
}
