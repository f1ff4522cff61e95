// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity;

import com.nimbusds.jwt.SignedJWT;
import io.outboard.api.Identities;
import io.outboard.identity.oidc.Cluster;
import io.outboard.identity.oidc.Provider;
import io.outboard.identity.oidc.ProviderClient;
import io.outboard.identity.oidc.RefusedTokenException;
import io.outboard.identity.oidc.TokenReviews;
import io.outboard.identity.oidc.TokenVerifier;
import io.outboard.identity.oidc.Verified;
import io.outboard.identity.proxy.Grid;
import io.outboard.identity.proxy.ProxyVerifier;
import io.outboard.identity.rule.Rules;
import io.outboard.lease.account.Caller;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.text.ParseException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * People and accounts with tokens of the providers and clusters that a file names, or of their own
 * proxies of its grids.
 */
public final class ProviderIdentities implements Identities, AutoCloseable {
  /** Characters of a token. */
  static final int LONGEST = 16 << 10;

  private static final System.Logger LOG = System.getLogger(ProviderIdentities.class.getName());

  private final Map<String, TokenVerifier> verifiers = new LinkedHashMap<>();
  private final Map<String, TokenReviews> reviews = new LinkedHashMap<>();
  private final List<ProxyVerifier> grids = new ArrayList<>();
  private final Rules rules;

  /**
   * Makes it; no provider is asked before there is a token of it.
   *
   * @throws IOException if the authorities of a provider or a grid cannot be read
   */
  public ProviderIdentities(IdentityFile file) throws IOException {
    rules = file.rules();
    for (Provider provider : file.providers()) {
      ProviderClient client = new ProviderClient(provider.authorities());
      add(new TokenVerifier(provider, client));
    }
    for (Cluster cluster : file.clusters()) {
      ProviderClient client = new ProviderClient(cluster.authorities());
      add(new TokenReviews(cluster, client, InstantSource.system()));
    }
    for (Grid grid : file.grids()) {
      grids.add(ProxyVerifier.of(grid));
    }
  }

  ProviderIdentities(Rules rules, TokenVerifier verifier) {
    this.rules = rules;
    add(verifier);
  }

  ProviderIdentities(Rules rules, TokenReviews cluster) {
    this.rules = rules;
    add(cluster);
  }

  ProviderIdentities(Rules rules, ProxyVerifier grid) {
    this.rules = rules;
    grids.add(grid);
  }

  private void add(TokenReviews cluster) {
    reviews.put(cluster.cluster().issuer(), cluster);
  }

  private void add(TokenVerifier verifier) {
    verifiers.put(verifier.provider().issuer(), verifier);
  }

  @Override
  public Optional<Caller> find(String secret) throws IOException {
    Finding finding = examine(secret);
    LOG.log(System.Logger.Level.DEBUG, () -> String.join("; ", finding.lines()));
    return finding.caller();
  }

  /**
   * Says who has a token, and why.
   *
   * @throws IOException if it cannot be known now, as the provider does not answer
   */
  public Finding examine(String secret) throws IOException {
    if (secret.length() > LONGEST) {
      return Finding.refused("it has more than %d characters".formatted(LONGEST));
    }
    try {
      SignedJWT token = SignedJWT.parse(secret);
      Verified verified = verified(token);
      return Finding.of(rules, verified.claims(), verified.until());
    } catch (ParseException e) {
      return Finding.refused("it is no signed JWT");
    } catch (RefusedTokenException e) {
      return Finding.refused(e.getMessage());
    }
  }

  /**
   * Says what a proxy gives that nobody has shown to be his.
   *
   * @param chain the proxy first, then each one's issuer
   */
  public Finding examine(List<X509Certificate> chain) {
    String why = "the file names no grid";
    for (ProxyVerifier grid : grids) {
      try {
        Verified verified = grid.verify(chain);
        return Finding.of(rules, verified.claims(), verified.until());
      } catch (RefusedTokenException e) {
        why = e.getMessage();
      }
    }
    return Finding.refused(why);
  }

  /** An unverified token chooses among those that the file names, no more. */
  private Verified verified(SignedJWT token)
      throws RefusedTokenException, ParseException, IOException {
    if (ProxyVerifier.isProxys(token)) {
      return grid(token.getJWTClaimsSet().getAudience()).verify(token);
    }
    String issuer = token.getJWTClaimsSet().getIssuer();
    if (verifiers.containsKey(issuer)) {
      return verifiers.get(issuer).verify(token);
    }
    if (reviews.containsKey(issuer)) {
      return reviews.get(issuer).verify(token);
    }
    throw new RefusedTokenException("no provider of the file is its issuer");
  }

  private ProxyVerifier grid(List<String> audience) throws RefusedTokenException {
    return grids.stream()
        .filter(grid -> audience.equals(List.of(grid.grid().audience())))
        .findFirst()
        .orElseThrow(() -> new RefusedTokenException("no grid of the file is its audience"));
  }

  @Override
  public void close() {
    verifiers.values().forEach(TokenVerifier::close);
    reviews.values().forEach(TokenReviews::close);
    grids.forEach(ProxyVerifier::close);
  }
}
