// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.proxy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.util.Base64;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.outboard.communicator.certificate.Pem;
import io.outboard.communicator.posix.PrivateFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A proxy with its key, as {@code voms-proxy-init} writes it.
 *
 * @param chain the proxy first, then each one's issuer
 * @param key of the proxy
 */
public record ProxyFile(List<X509Certificate> chain, PrivateKey key) {
  /** A copy. */
  public ProxyFile {
    chain = List.copyOf(chain);
  }

  /**
   * The place of a user's proxy.
   *
   * @param user the number by which the system knows him
   */
  public static Path usual(Map<String, String> environment, int user) {
    String said = environment.getOrDefault("X509_USER_PROXY", "");
    return Path.of(said.isEmpty() ? "/tmp/x509up_u" + user : said);
  }

  /**
   * Reads one.
   *
   * @throws IOException if it is none, or others can read it
   */
  public static ProxyFile read(Path file) throws IOException {
    try {
      String text = PrivateFiles.read(file);
      return new ProxyFile(Pem.certificates(file.toString(), text), Pem.privateKey(file));
    } catch (NoSuchFileException e) {
      throw new IOException(
          "there is no proxy at %s: 'voms-proxy-init' makes one".formatted(file), e);
    }
  }

  /**
   * Signs a token with it, which is good for some minutes.
   *
   * @param audience the office to which it is to be shown
   * @throws IOException if its key makes no signatures that are taken
   */
  public String token(String audience, Instant now) throws IOException {
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .audience(audience)
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plus(ProxyVerifier.LONGEST)))
            .jwtID(UUID.randomUUID().toString())
            .build();
    try {
      JWSSigner signer =
          key instanceof ECPrivateKey curve ? new ECDSASigner(curve) : new RSASSASigner(key);
      SignedJWT token =
          new SignedJWT(
              new JWSHeader.Builder(algorithm(signer))
                  .type(ProxyVerifier.TYPE)
                  .x509CertChain(encoded())
                  .build(),
              claims);
      token.sign(signer);
      return token.serialize();
    } catch (JOSEException | IllegalArgumentException e) {
      throw new IOException("the proxy cannot sign: " + e.getMessage(), e);
    }
  }

  private static JWSAlgorithm algorithm(JWSSigner signer) {
    return ProxyVerifier.ALGORITHMS.stream()
        .filter(signer.supportedJWSAlgorithms()::contains)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("its key is of no known kind"));
  }

  private List<Base64> encoded() throws IOException {
    List<Base64> all = new ArrayList<>();
    for (X509Certificate one : chain) {
      try {
        all.add(Base64.encode(one.getEncoded()));
      } catch (CertificateEncodingException e) {
        throw new IOException(e.getMessage(), e);
      }
    }
    return all;
  }
}
