// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Somebody who has signed in.
 *
 * @param issuer where
 * @param client as which program (OAuth's client id)
 * @param scope that was asked for
 * @param access the token that servers are shown
 * @param until when that ends
 * @param refresh with which the provider gives the next one; empty where it gives none
 */
public record Login(
    String issuer,
    String client,
    String scope,
    String access,
    Instant until,
    Optional<String> refresh) {
  /** As a file has it. */
  String json() {
    return Json.write(
            Ordered.of(
                "issuer", issuer,
                "client", client,
                "scope", scope,
                "access", access,
                "until", until.toString(),
                "refresh", refresh.orElse("")))
        + "\n";
  }

  /**
   * Of a file.
   *
   * @throws IOException if it is none
   */
  static Login parse(String text) throws IOException {
    try {
      if (Json.read(text) instanceof Map<?, ?> object) {
        return new Login(
            text(object, "issuer"),
            text(object, "client"),
            text(object, "scope"),
            text(object, "access"),
            Instant.parse(text(object, "until")),
            Optional.of(text(object, "refresh")).filter(token -> !token.isEmpty()));
      }
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IOException("it cannot be read: 'outboard login' makes another one", e);
    }
    throw new IOException("it is no login: 'outboard login' makes another one");
  }

  private static String text(Map<?, ?> object, String name) {
    return object.get(name) instanceof String text ? text : "";
  }
}
