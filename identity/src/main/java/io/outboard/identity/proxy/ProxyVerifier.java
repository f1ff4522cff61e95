// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.proxy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.util.X509CertChainUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.outboard.identity.oidc.RefusedTokenException;
import io.outboard.identity.oidc.Verified;
import java.io.IOException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;

/**
 * Verifies tokens that proxies of a grid sign: signature by the key of the proxy that the token
 * brings along (RFC 7515, {@code x5c}), audience and times; then the proxy itself, by the grid's
 * authorities.
 */
public final class ProxyVerifier implements AutoCloseable {
  /** The type of such a token, so that none of another kind is taken for one (RFC 8725, 3.11). */
  static final JOSEObjectType TYPE = new JOSEObjectType("grid-proxy+jwt");

  /** From its first moment to its last. */
  static final Duration LONGEST = Duration.ofMinutes(10);

  /** Those with a public key, one for each kind of key. */
  static final List<JWSAlgorithm> ALGORITHMS =
      List.of(JWSAlgorithm.RS256, JWSAlgorithm.ES256, JWSAlgorithm.ES384, JWSAlgorithm.ES512);

  private static final Duration SKEW = Duration.ofMinutes(1);

  /** A proxy of a proxy and so on, and authorities above. */
  private static final int MOST_CERTIFICATES = 10;

  private final Grid grid;
  private final GridTrust trust;
  private final InstantSource clock;

  public ProxyVerifier(Grid grid, GridTrust trust, InstantSource clock) {
    this.grid = grid;
    this.trust = trust;
    this.clock = clock;
  }

  /**
   * One with the folders of a grid, as they are on this machine.
   *
   * @throws IOException if they cannot be read, or the library of grids is not there
   */
  public static ProxyVerifier of(Grid grid) throws IOException {
    return new ProxyVerifier(grid, GridLibrary.open(grid), InstantSource.system());
  }

  /** Whether a token says that it is of this kind. */
  public static boolean isProxys(SignedJWT token) {
    return TYPE.equals(token.getHeader().getType());
  }

  /** Whose proxies they are. */
  public Grid grid() {
    return grid;
  }

  /**
   * Verifies a token.
   *
   * @throws RefusedTokenException if it is not good
   */
  public Verified verify(SignedJWT token) throws RefusedTokenException {
    try {
      List<X509Certificate> chain = chain(token);
      ProxyKeys.check(chain);
      checkSignature(token, chain.getFirst().getPublicKey());
      Instant until = checkTimes(token.getJWTClaimsSet());
      Verified holder = verify(chain);
      return until.isBefore(holder.until()) ? new Verified(holder.claims(), until) : holder;
    } catch (ParseException | JOSEException e) {
      throw new RefusedTokenException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Verifies a proxy that nobody has shown to be his.
   *
   * @param chain the proxy first, then each one's issuer
   * @throws RefusedTokenException if it is not good
   */
  public Verified verify(List<X509Certificate> chain) throws RefusedTokenException {
    if (chain.size() > MOST_CERTIFICATES) {
      throw new RefusedTokenException(
          "its chain has more than %d certificates".formatted(MOST_CERTIFICATES));
    }
    ProxyKeys.check(chain);
    return trust.verify(chain);
  }

  private static List<X509Certificate> chain(SignedJWT token)
      throws RefusedTokenException, ParseException {
    if (token.getHeader().getX509CertChain() == null) {
      throw new RefusedTokenException("the token brings no proxy");
    }
    List<X509Certificate> chain = X509CertChainUtils.parse(token.getHeader().getX509CertChain());
    if (chain.isEmpty()) {
      throw new RefusedTokenException("the token brings no proxy");
    }
    return chain;
  }

  /** The kind of the key says which signatures there can be, and not the token. */
  private static void checkSignature(SignedJWT token, PublicKey key)
      throws RefusedTokenException, JOSEException {
    if (!ALGORITHMS.contains(token.getHeader().getAlgorithm()) || !token.verify(verifier(key))) {
      throw new RefusedTokenException("the proxy's key has not signed it");
    }
  }

  private static JWSVerifier verifier(PublicKey key) throws JOSEException {
    return key instanceof ECPublicKey curve
        ? new ECDSAVerifier(curve)
        : new RSASSAVerifier((RSAPublicKey) key);
  }

  private Instant checkTimes(JWTClaimsSet claims) throws RefusedTokenException {
    Date issued = claims.getIssueTime();
    Date until = claims.getExpirationTime();
    Instant now = clock.instant();
    if (issued == null || until == null || !claims.getAudience().equals(List.of(grid.audience()))) {
      throw new RefusedTokenException("the token is for another one, or for ever");
    }
    Instant end = until.toInstant();
    if (issued.toInstant().isAfter(now.plus(SKEW)) || !now.isBefore(end.plus(SKEW))) {
      throw new RefusedTokenException("the token is of the future, or over");
    }
    if (end.isAfter(issued.toInstant().plus(LONGEST))) {
      throw new RefusedTokenException(
          "the token is good for more than %d minutes".formatted(LONGEST.toMinutes()));
    }
    return end;
  }

  @Override
  public void close() {
    trust.close();
  }
}
