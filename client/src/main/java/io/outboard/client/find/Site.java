// SPDX-License-Identifier: Apache-2.0
package io.outboard.client.find;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.TokenFile;
import io.outboard.communicator.tls.TlsClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A pool of several that a client may have leases of.
 *
 * @param name by which its user knows it
 * @param backend where its broker or backend is asked
 * @param api its HTTP interface, which publishes what it offers
 * @param tokenFile where the client's token for it is
 * @param authorities those to trust instead of the system's, in PEM
 * @param where the file that names it
 */
public record Site(
    String name,
    Endpoint backend,
    URI api,
    Optional<Path> tokenFile,
    Optional<Path> authorities,
    String where) {
  /** It as a backend that was found. */
  public Found found() {
    return new Found(backend, "site %s of %s".formatted(name, where));
  }

  /**
   * The variables of whatever asks it: its own token, and nobody else's. The variable of a token
   * may hold that of a lease at another site.
   *
   * @throws IOException if its token cannot be read
   */
  public Map<String, String> environment(Map<String, String> own) throws IOException {
    Map<String, String> environment = new TreeMap<>(own);
    environment.remove(TokenFile.VARIABLE);
    if (tokenFile.isPresent()) {
      environment.put(TokenFile.VARIABLE, token(tokenFile.get()));
    }
    authorities.ifPresent(file -> environment.put(TlsClient.CA, file.toString()));
    return environment;
  }

  private String token(Path file) throws IOException {
    return TokenFile.load(file)
        .orElseThrow(() -> new IOException("the token of site %s: no %s".formatted(name, file)))
        .digits();
  }
}
