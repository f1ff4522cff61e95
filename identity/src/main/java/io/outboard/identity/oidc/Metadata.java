// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** An issuer's document about itself (OpenID Connect Discovery 1.0, 3 and 4). */
final class Metadata {
  private static final String PATH = "/.well-known/openid-configuration";

  private final URI issuer;
  private final Map<?, ?> fields;

  private Metadata(URI issuer, Map<?, ?> fields) {
    this.issuer = issuer;
    this.fields = fields;
  }

  /**
   * Asks an issuer.
   *
   * @throws IOException if it does not answer, or says that it is another one
   */
  static Metadata of(String issuer, ProviderClient client) throws IOException {
    URI where = WebAddress.parse(issuer.replaceFirst("/+$", "") + PATH);
    Map<?, ?> fields = client.get(where).object();
    if (!issuer.equals(fields.get("issuer"))) {
      throw new IOException("%s has the metadata of another issuer".formatted(where));
    }
    return new Metadata(WebAddress.parse(issuer), fields);
  }

  /**
   * An address on the issuer's own server; empty where it names none.
   *
   * @throws IOException if it is elsewhere
   */
  Optional<URI> address(String name) throws IOException {
    if (!(fields.get(name) instanceof String text)) {
      return Optional.empty();
    }
    try {
      URI address = WebAddress.parse(text);
      if (WebAddress.isSameServer(address, issuer)) {
        return Optional.of(address);
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("the issuer's %s: %s".formatted(name, e.getMessage()), e);
    }
    throw new IOException("the issuer's %s is on another server".formatted(name));
  }

  /**
   * An address that has to be there.
   *
   * @throws IOException if it is not, or elsewhere
   */
  URI wanted(String name) throws IOException {
    return address(name).orElseThrow(() -> new IOException(issuer + " has no " + name));
  }
}
