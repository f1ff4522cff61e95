// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.outboard.identity.rule.Claims;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.Set;

/**
 * Verifies the access tokens of one provider (RFC 8725): signature by a key of the provider's own
 * set, issuer, audience, times. Addresses and keys that a token brings along are not used; a token
 * with some is refused.
 */
public final class TokenVerifier implements AutoCloseable {
  /** A token that is good for longer is refused: nobody asks whether it was taken back. */
  static final Duration LONGEST = Duration.ofHours(24);

  private final Provider provider;
  private final InstantSource clock;
  private final JWKSource<SecurityContext> keys;
  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
  private final ProviderKeys source;

  /**
   * For how long keys are good.
   *
   * @param fresh after this they are fetched again
   * @param most as long as they are used where the provider does not answer, beyond that
   * @param pause in which they are fetched twice at most, whatever tokens come
   */
  record KeyTimes(Duration fresh, Duration most, Duration pause) {
    static final KeyTimes USUAL =
        new KeyTimes(Duration.ofMinutes(5), Duration.ofHours(1), Duration.ofSeconds(30));
  }

  public TokenVerifier(Provider provider, ProviderClient client) {
    this(provider, client, InstantSource.system(), KeyTimes.USUAL);
  }

  TokenVerifier(Provider provider, ProviderClient client, InstantSource clock, KeyTimes times) {
    this.provider = provider;
    this.clock = clock;
    this.source = new ProviderKeys(provider, client);
    this.keys =
        JWKSourceBuilder.create(source)
            .retrying(false)
            .refreshAheadCache(false)
            .cache(times.fresh().toMillis(), 2 * ProviderClient.LIMIT.toMillis())
            .rateLimited(times.pause().toMillis())
            .outageTolerant(times.most().toMillis())
            .build();
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(provider.algorithms(), keys));
    // RFC 9068 says at+jwt; Keycloak and others say JWT, or nothing.
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    processor.setJWTClaimsSetVerifier(claims());
  }

  private DefaultJWTClaimsVerifier<SecurityContext> claims() {
    JWTClaimsSet exact = new JWTClaimsSet.Builder().issuer(provider.issuer()).build();
    InstantSource now = clock;
    DefaultJWTClaimsVerifier<SecurityContext> verifier =
        new DefaultJWTClaimsVerifier<>(
            provider.audiences(), exact, Set.of("exp", "iat", "sub"), Set.of()) {
          @Override
          protected Date currentTime() {
            return Date.from(now.instant());
          }
        };
    verifier.setMaxClockSkew(Math.toIntExact(provider.skew().toSeconds()));
    return verifier;
  }

  /** Whose tokens they are. */
  public Provider provider() {
    return provider;
  }

  /**
   * Verifies a token.
   *
   * @throws RefusedTokenException if it is not good
   * @throws IOException if that cannot be known now, as there are no keys
   */
  public Verified verify(SignedJWT token) throws RefusedTokenException, IOException {
    refuseAddresses(token.getHeader());
    try {
      JWTClaimsSet claims = processor.process(token, null);
      return verified(claims);
    } catch (BadJOSEException e) {
      throw new RefusedTokenException(String.valueOf(e.getMessage()), e);
    } catch (RateLimitReachedException e) {
      throw new IOException(
          "the keys of %s were fetched a moment ago, and this token's was not among them"
              .formatted(provider.name()),
          e);
    } catch (JOSEException e) {
      throw new IOException(
          "the keys of %s are not there: %s".formatted(provider.name(), e.getMessage()), e);
    }
  }

  private static void refuseAddresses(JWSHeader header) throws RefusedTokenException {
    boolean brings =
        header.getJWKURL() != null
            || header.getJWK() != null
            || header.getX509CertURL() != null
            || header.getX509CertChain() != null;
    if (brings) {
      throw new RefusedTokenException("the token brings a key, or says where one is");
    }
  }

  private Verified verified(JWTClaimsSet claims) throws RefusedTokenException {
    Instant issued = claims.getIssueTime().toInstant();
    Instant until = claims.getExpirationTime().toInstant();
    if (issued.isAfter(clock.instant().plus(provider.skew()))) {
      throw new RefusedTokenException("the token is of the future: " + issued);
    }
    if (until.isAfter(issued.plus(LONGEST))) {
      throw new RefusedTokenException(
          "the token is good for more than %d hours".formatted(LONGEST.toHours()));
    }
    String subject = claims.getSubject();
    if (subject.isBlank() || subject.length() > Claims.LONGEST) {
      throw new RefusedTokenException("the token is of nobody, or the name is too long");
    }
    return new Verified(Claims.of(provider.name(), subject, claims.toJSONObject()), until);
  }

  @Override
  public void close() {
    source.close();
  }
}
