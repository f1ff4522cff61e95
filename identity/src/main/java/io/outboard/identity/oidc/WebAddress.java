// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import java.net.URI;
import java.util.Locale;
import java.util.Set;

/** Which addresses of providers may be asked. */
final class WebAddress {
  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

  private WebAddress() {}

  /**
   * An address that is safe to ask: https, or http of this machine.
   *
   * @throws IllegalArgumentException if it is another
   */
  static URI parse(String text) {
    URI address = URI.create(text);
    String host = host(address);
    boolean plain = "http".equals(address.getScheme()) && THIS_MACHINE.contains(host);
    boolean safe = !host.isEmpty() && ("https".equals(address.getScheme()) || plain);
    if (!safe || address.getUserInfo() != null || address.getFragment() != null) {
      throw new IllegalArgumentException(
          "an address is https://HOST…, or http://127.0.0.1… for this machine, not '%s'"
              .formatted(text));
    }
    return address;
  }

  /** Whether two addresses are of one server. */
  static boolean isSameServer(URI one, URI other) {
    return one.getScheme().equals(other.getScheme())
        && host(one).equals(host(other))
        && port(one) == port(other);
  }

  private static String host(URI address) {
    return address.getHost() == null ? "" : address.getHost().toLowerCase(Locale.ROOT);
  }

  private static int port(URI address) {
    int usual = address.getScheme().equals("https") ? 443 : 80;
    return address.getPort() < 0 ? usual : address.getPort();
  }
}
