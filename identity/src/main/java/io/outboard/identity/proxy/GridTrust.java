// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.proxy;

import io.outboard.identity.oidc.RefusedTokenException;
import io.outboard.identity.oidc.Verified;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;

/** Knows the authorities of a grid, and the servers of its virtual organisations. */
public interface GridTrust extends AutoCloseable {
  /**
   * Verifies a proxy and its attributes, as of now.
   *
   * @param chain the proxy first, then each one's issuer; an authority may be missing at the end
   * @return its holder, with the claims {@code dn}, {@code ca}, {@code vo}, {@code fqan} and {@code
   *     primary}
   * @throws RefusedTokenException if it is not good
   */
  Verified verify(List<X509Certificate> chain) throws RefusedTokenException;

  @Override
  void close();

  /** Makes one; a service of {@link java.util.ServiceLoader}. */
  @FunctionalInterface
  interface Maker {
    /**
     * Reads the folders of a grid.
     *
     * @throws IOException if they cannot be read
     */
    GridTrust open(Grid grid) throws IOException;
  }
}
