// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.cloud;

import io.outboard.office.rest.Fields;
import io.outboard.office.rest.RestException;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** A service of the catalog, asked with this program's token in one microversion. */
final class CloudService {
  private final Keystone keystone;
  private final String type;
  private final String microversion;

  /**
   * Makes one.
   *
   * @param type as the catalog has it
   * @param microversion the header {@code OpenStack-API-Version}
   */
  CloudService(Keystone keystone, String type, String microversion) {
    this.keystone = keystone;
    this.type = type;
    this.microversion = microversion;
  }

  /** Asks; once more with another token where the service does not know ours any more. */
  Fields ask(String method, String path, Object body) throws IOException {
    for (boolean again = false; ; again = true) {
      String token = keystone.token();
      try {
        Map<String, String> headers =
            Map.of("X-Auth-Token", token, "OpenStack-API-Version", microversion);
        URI where = URI.create(keystone.endpoint(type) + path);
        return keystone.rest().ask(method, where, headers, body).body();
      } catch (RestException e) {
        if (e.status() != RestException.UNAUTHORIZED || again) {
          throw e;
        }
        keystone.forget(token);
      }
    }
  }

  Fields get(String path) throws IOException {
    return ask("GET", path, null);
  }

  /** The answer, if the thing is there. */
  Optional<Fields> find(String path) throws IOException {
    try {
      return Optional.of(get(path));
    } catch (RestException e) {
      if (e.status() == RestException.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
