// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import java.io.IOException;
import java.net.URI;
import java.util.List;

/**
 * Providers at which people sign in with a browser: by a code, whose secret never leaves the page
 * (RFC 6749, 4.1, with PKCE, RFC 7636).
 */
public interface SignIns {
  /** Nobody signs in so. */
  SignIns NONE =
      new SignIns() {
        @Override
        public List<String> names() {
          return List.of();
        }

        @Override
        public Entrance entrance(String name) {
          throw new IllegalArgumentException("there is no provider '" + name + "'");
        }

        @Override
        public String token(String name, Code code) {
          throw new IllegalArgumentException("there is no provider '" + name + "'");
        }
      };

  /**
   * Where somebody goes to sign in.
   *
   * @param page of the provider's
   * @param client the id that it knows the console by, which has no secret
   * @param scope what is asked for
   */
  record Entrance(URI page, String client, String scope) {}

  /**
   * The words that somebody brings back.
   *
   * @param code of the provider's, which is good once
   * @param verifier that only the page has which began
   * @param back the address to which the provider sent the code
   */
  record Code(String code, String verifier, String back) {}

  /** The names of the providers. */
  List<String> names();

  /**
   * Where somebody signs in.
   *
   * @throws IllegalArgumentException if there is no such provider
   * @throws IOException if it does not say
   */
  Entrance entrance(String name) throws IOException;

  /**
   * The access token for a code.
   *
   * @throws IllegalArgumentException if there is no such provider
   * @throws IOException if it gives none
   */
  String token(String name, Code code) throws IOException;
}
