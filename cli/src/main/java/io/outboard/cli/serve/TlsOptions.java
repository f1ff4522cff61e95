// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.backend.system.Log;
import io.outboard.communicator.Capability;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.certificate.IdentityFiles;
import io.outboard.communicator.certificate.Pem;
import io.outboard.communicator.certificate.TlsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The identity of a server that encrypts, and the clients that it wants. */
public final class TlsOptions {
  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = {
        "The certificate for tls:// and https://, with those between it and its authority, in PEM.",
        "Default: server.pem in ~/.config/outboard/tls or /etc/outboard/tls ('outboard cert')."
      })
  private Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Its key, in PEM. Default: server.key beside the certificate.")
  private Path key;

  @Option(
      names = "--tls-client-ca",
      paramLabel = "FILE",
      description =
          "Clients on tls:// need a certificate of one of these authorities, beside their token.")
  private Path clients;

  /** Whether an endpoint needs all this. */
  static boolean isWanted(Endpoint endpoint) {
    return Communicator.of(endpoint).capabilities().has(Capability.ENCRYPTION);
  }

  /**
   * Reads the files.
   *
   * @throws IOException if one is missing or cannot be used; the message says which
   */
  public TlsServer server() throws IOException {
    return server(clients);
  }

  /**
   * Reads the files, with other authorities for clients.
   *
   * @param vouching for clients; null where these need no certificate
   */
  TlsServer server(Path vouching) throws IOException {
    Path chain = certificate().orElseThrow(TlsOptions::missing);
    if (!Files.exists(chain)) {
      throw new NoSuchFileException(chain.toString());
    }
    Path own = key != null ? key : chain.resolveSibling(CertificateFolder.SERVER_KEY);
    List<X509Certificate> authorities = vouching != null ? Pem.certificates(vouching) : List.of();
    return new TlsServer(new IdentityFiles(chain, own, Log::info), authorities);
  }

  private Optional<Path> certificate() {
    return certificate != null
        ? Optional.of(certificate)
        : CertificateFolder.candidates(System.getenv()).stream()
            .map(folder -> folder.resolve(CertificateFolder.SERVER))
            .filter(Files::exists)
            .findFirst();
  }

  private static IOException missing() {
    return new IOException(
        "tls:// and https:// want a certificate: --tls-cert and --tls-key name one,"
            + " 'outboard cert server HOST' makes one");
  }
}
