// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.openstack;

import io.outboard.api.ApiAddress;
import io.outboard.communicator.certificate.Pem;
import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.communicator.posix.PrivateFiles;
import io.outboard.office.LeaseOffice;
import io.outboard.office.rest.RestClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the lease office is. */
public final class OfficeOptions {
  /** A grant is on the office's disk before it is answered. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Option(
      names = "--api",
      paramLabel = "URL",
      description = {
        "The HTTP interface of the backend or the broker: https://HOST:PORT, or",
        "http://127.0.0.1:PORT; may be given for each broker of a pool."
      })
  private final List<URI> servers = new ArrayList<>();

  @Option(
      names = "--api-token-file",
      paramLabel = "FILE",
      description = {
        "A token of the role operator ('outboard token create'); read by this user alone.",
        "Default: the variable OUTBOARD_API_TOKEN itself."
      })
  private Path token;

  @Option(
      names = "--api-ca",
      paramLabel = "FILE",
      description = "Authorities that vouch for the interface, PEM. Default: the system's.")
  private Path authorities;

  /**
   * Makes a client of it.
   *
   * @throws IOException if it is not clear where it is, or with which token it is asked
   */
  public LeaseOffice office() throws IOException {
    String variable = Optional.ofNullable(System.getenv("OUTBOARD_API_TOKEN")).orElse("");
    if (servers.isEmpty() || (token == null && variable.isEmpty())) {
      throw new IOException("--api and --api-token-file say where GPUs are leased");
    }
    for (URI server : servers) {
      check(server);
    }
    TlsCaller tls =
        new TlsCaller(
            authorities == null ? List.of() : Pem.certificates(authorities), Optional.empty());
    String secret = token == null ? variable : PrivateFiles.read(token);
    return new LeaseOffice(servers, secret.strip(), new RestClient(tls, LIMIT));
  }

  /** A token goes along. */
  static void checkSecret(URI server, ApiAddress address) throws IOException {
    if (!address.encrypted() && !InetAddress.getByName(server.getHost()).isLoopbackAddress()) {
      throw new IOException(server + " would send the token without encryption: say https");
    }
  }

  private static void check(URI server) throws IOException {
    try {
      checkSecret(server, ApiAddress.parse(server.toString()));
    } catch (IllegalArgumentException e) {
      throw new IOException("--api: " + e.getMessage(), e);
    }
  }
}
