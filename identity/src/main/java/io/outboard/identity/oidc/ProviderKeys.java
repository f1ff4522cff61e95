// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.proc.SecurityContext;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.util.List;

/**
 * Fetches a provider's key set, each time anew: how often that is, and for how long the last one is
 * good, is Nimbus's to say.
 */
final class ProviderKeys implements JWKSetSource<SecurityContext> {
  private static final System.Logger LOG = System.getLogger(ProviderKeys.class.getName());

  /** A shorter RSA key can be found out. */
  private static final int LEAST_RSA_BITS = 2_048;

  private final Provider provider;
  private final ProviderClient client;
  private volatile URI where;

  ProviderKeys(Provider provider, ProviderClient client) {
    this.provider = provider;
    this.client = client;
    this.where = provider.keys().orElse(null);
  }

  @Override
  public JWKSet getJWKSet(
      JWKSetCacheRefreshEvaluator refresh, long currentTime, SecurityContext context)
      throws KeySourceException {
    try {
      return strong(JWKSet.parse(client.get(address()).text()));
    } catch (IOException | ParseException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the keys of the identity provider %s: %s".formatted(provider.name(), e.getMessage()));
      throw new JWKSetUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  private URI address() throws IOException {
    URI known = where;
    if (known == null) {
      known = Metadata.of(provider.issuer(), client).wanted("jwks_uri");
      where = known;
    }
    return known;
  }

  private static JWKSet strong(JWKSet all) {
    List<JWK> strong = all.getKeys().stream().filter(ProviderKeys::isStrong).toList();
    return new JWKSet(strong);
  }

  private static boolean isStrong(JWK key) {
    return key.getKeyType().equals(KeyType.EC)
        || (key.getKeyType().equals(KeyType.RSA) && key.size() >= LEAST_RSA_BITS);
  }

  @Override
  public void close() {
    client.close();
  }
}
