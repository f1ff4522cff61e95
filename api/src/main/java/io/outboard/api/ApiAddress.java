// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;

/**
 * Where an interface listens: {@code https://HOST:PORT}, or {@code http://127.0.0.1:PORT} for this
 * machine alone.
 *
 * @param uri as it was said
 */
public record ApiAddress(URI uri) {
  private static final int MOST_PORT = 65_535;

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  public static ApiAddress parse(String text) {
    URI uri = URI.create(text);
    String scheme = String.valueOf(uri.getScheme());
    boolean known = scheme.equals("http") || scheme.equals("https");
    boolean whole = uri.getHost() != null && uri.getPort() >= 0 && uri.getPort() <= MOST_PORT;
    boolean more = uri.getRawUserInfo() != null || uri.getRawQuery() != null;
    if (!known || !whole || more || !uri.getRawPath().replace("/", "").isEmpty()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not https://HOST:PORT or http://127.0.0.1:PORT");
    }
    return new ApiAddress(uri);
  }

  /** Whether it is https. */
  public boolean encrypted() {
    return uri.getScheme().equals("https");
  }

  /**
   * The address to listen at.
   *
   * @throws UnknownHostException if there is no such host, or other machines could reach it without
   *     encryption
   */
  InetSocketAddress socket() throws UnknownHostException {
    InetAddress host = InetAddress.getByName(uri.getHost());
    if (!encrypted() && !host.isLoopbackAddress()) {
      throw new UnknownHostException(
          uri + " is not encrypted, and other machines could reach it: say https, or 127.0.0.1");
    }
    return new InetSocketAddress(host, uri.getPort());
  }

  /** With the port that it really is. */
  URI at(int port) {
    return URI.create(uri.getScheme() + "://" + uri.getHost() + ":" + port);
  }

  @Override
  public String toString() {
    return uri.toString();
  }
}
