// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.tls;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.certificate.Pem;
import io.outboard.communicator.certificate.PinnedTrust;
import io.outboard.communicator.certificate.TlsIdentity;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.communicator.certificate.TlsTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * A client's side of TLS 1.3.
 *
 * @param pin the fingerprint of the one certificate that is trusted, whatever its name and dates
 * @param authorities who vouches for servers, where there is no pin; if empty, those that the JDK
 *     knows
 * @param identity who the client is, for a server that asks
 */
public record TlsClient(
    Optional<String> pin, List<X509Certificate> authorities, Optional<TlsIdentity> identity) {
  /** The variable that names a file with the authorities to trust instead of the system's. */
  public static final String CA = "OUTBOARD_CA";

  /** The variable that names a file with the client's certificate. */
  public static final String CERT = "OUTBOARD_CERT";

  /** The variable that names a file with its key. */
  public static final String KEY = "OUTBOARD_KEY";

  private static final int DIGITS = 64;

  /** Where distributions keep the authorities that their users trust. */
  private static final List<String> BUNDLES =
      List.of(
          "/etc/ssl/certs/ca-certificates.crt",
          "/etc/pki/tls/certs/ca-bundle.crt",
          "/etc/ssl/ca-bundle.pem",
          "/etc/ssl/cert.pem");

  /** A copy. */
  public TlsClient {
    authorities = List.copyOf(authorities);
  }

  /**
   * Finds out whom a client trusts.
   *
   * @throws IOException if a file cannot be used
   * @throws IllegalArgumentException if what the endpoint pins is no fingerprint
   */
  static TlsClient of(Endpoint endpoint, Map<String, String> environment) throws IOException {
    Optional<String> pin =
        endpoint.user().isEmpty() ? Optional.empty() : Optional.of(pin(endpoint));
    Optional<Path> certificate = file(environment, CERT);
    Path key = file(environment, KEY).or(() -> certificate).orElse(null);
    Optional<TlsIdentity> identity =
        certificate.isPresent()
            ? Optional.of(TlsIdentity.read(certificate.get(), key))
            : Optional.empty();
    return new TlsClient(pin, authorities(environment), identity);
  }

  private static Optional<Path> file(Map<String, String> environment, String variable) {
    return Optional.of(environment.getOrDefault(variable, ""))
        .filter(name -> !name.isEmpty())
        .map(Path::of);
  }

  private static String pin(Endpoint endpoint) {
    String digits = endpoint.user().replace(":", "").toLowerCase(Locale.ROOT);
    if (!digits.matches("[0-9a-f]{" + DIGITS + "}")) {
      throw new IllegalArgumentException(
          "'" + endpoint + "': expected tls://[SHA256@]HOST[:PORT], SHA256 being 64 digits");
    }
    return digits;
  }

  private static List<X509Certificate> authorities(Map<String, String> environment)
      throws IOException {
    Optional<Path> bundle =
        file(environment, CA)
            .or(() -> BUNDLES.stream().map(Path::of).filter(Files::isReadable).findFirst());
    return bundle.isPresent() ? Pem.certificates(bundle.get()) : List.of();
  }

  /** An engine for a connection to an endpoint, whose host the certificate has to name. */
  SSLEngine engine(Endpoint endpoint) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance(TlsServer.VERSION);
      KeyManager[] own = identity.isPresent() ? identity.get().managers() : null;
      context.init(own, trust(), null);
      SSLEngine engine = context.createSSLEngine(endpoint.host(), endpoint.port());
      engine.setUseClientMode(true);
      engine.setSSLParameters(parameters(engine.getSSLParameters()));
      return engine;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  private TrustManager[] trust() throws GeneralSecurityException, IOException {
    if (pin.isPresent()) {
      return Stream.of(new PinnedTrust(pin.get())).toArray(TrustManager[]::new);
    }
    return authorities.isEmpty() ? null : TlsTrust.managers(authorities);
  }

  private SSLParameters parameters(SSLParameters parameters) {
    parameters.setProtocols(new String[] {TlsServer.VERSION});
    if (pin.isEmpty()) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    return parameters;
  }
}
