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
import io.outboard.identity.rule.Rules;
import io.outboard.lease.account.Caller;
import java.io.IOException;
import java.text.ParseException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** People and accounts with tokens of the providers and clusters that a file names. */
public final class ProviderIdentities implements Identities, AutoCloseable {
  /** Characters of a token. */
  static final int LONGEST = 16 << 10;

  private static final System.Logger LOG = System.getLogger(ProviderIdentities.class.getName());

  private final Map<String, TokenVerifier> verifiers = new LinkedHashMap<>();
  private final Map<String, TokenReviews> reviews = new LinkedHashMap<>();
  private final Rules rules;

  /**
   * Makes it; no provider is asked before there is a token of it.
   *
   * @throws IOException if the authorities of a provider cannot be read
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
  }

  ProviderIdentities(Rules rules, TokenVerifier verifier) {
    this.rules = rules;
    add(verifier);
  }

  ProviderIdentities(Rules rules, TokenReviews cluster) {
    this.rules = rules;
    add(cluster);
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

  /** An unverified token chooses among those that the file names, no more. */
  private Verified verified(SignedJWT token)
      throws RefusedTokenException, ParseException, IOException {
    String issuer = token.getJWTClaimsSet().getIssuer();
    if (verifiers.containsKey(issuer)) {
      return verifiers.get(issuer).verify(token);
    }
    if (reviews.containsKey(issuer)) {
      return reviews.get(issuer).verify(token);
    }
    throw new RefusedTokenException("no provider of the file is its issuer");
  }

  @Override
  public void close() {
    verifiers.values().forEach(TokenVerifier::close);
    reviews.values().forEach(TokenReviews::close);
  }
}
