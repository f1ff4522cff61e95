// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import java.io.IOException;
import java.net.URI;
import java.util.Map;

/**
 * Signs people in at a provider with a browser: by a code that the provider sends back (RFC 6749,
 * 4.1), and whose verifier is with the one who began alone (RFC 7636).
 */
public final class CodeLogin {
  private final Provider provider;
  private final String client;
  private final ProviderClient http;
  // None before the first; guarded by this object's monitor.
  private Metadata metadata;

  /**
   * Makes one.
   *
   * @param client the id that the provider knows the console by, which has no secret
   */
  public CodeLogin(Provider provider, String client, ProviderClient http) {
    this.provider = provider;
    this.client = client;
    this.http = http;
  }

  private synchronized Metadata metadata() throws IOException {
    if (metadata == null) {
      metadata = Metadata.of(provider.issuer(), http);
    }
    return metadata;
  }

  /** The page at which somebody signs in. */
  public URI page() throws IOException {
    return metadata().wanted("authorization_endpoint");
  }

  /** The id that the provider knows the console by. */
  public String client() {
    return client;
  }

  /**
   * The access token for a code.
   *
   * @param back the address to which the provider sent it
   * @throws IOException if it gives none
   */
  public String token(String code, String verifier, String back) throws IOException {
    Map<String, String> form =
        Map.of(
            "grant_type", "authorization_code",
            "client_id", client,
            "code", code,
            "code_verifier", verifier,
            "redirect_uri", back);
    return access(http.post(metadata().wanted("token_endpoint"), form).good());
  }

  /** The token of an answer. */
  static String access(Map<?, ?> fields) throws IOException {
    String access = DeviceLogin.wanted(fields, "access_token");
    if (!access.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw new IOException("the provider's token is none");
    }
    return access;
  }
}
