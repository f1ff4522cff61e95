// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

import java.net.MalformedURLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a backend is: {@code unix:PATH}, {@code tcp://HOST[:PORT]}, {@code
 * tls://[SHA256@]HOST[:PORT]}, {@code vsock://[CID][:PORT]}, {@code ssh://[USER@]HOST}, or the like
 * with the scheme of a plug-in. Its {@link Communicator} checks the rest.
 *
 * @param scheme names the communicator, in lower case
 * @param user who logs in, or the certificate that is trusted; empty if not said
 * @param host name, address (IPv6 without brackets) or number; empty where the scheme takes a path
 *     or needs none
 * @param port {@link #UNSET} if not said
 * @param path of a socket, empty where the scheme takes a host
 */
public record Endpoint(String scheme, String user, String host, int port, String path) {
  /** No port was said. */
  public static final int UNSET = -1;

  /** The scheme of Unix sockets. */
  public static final String UNIX = "unix";

  private static final Pattern HOSTED =
      Pattern.compile(
          "(?<scheme>[a-z][a-z0-9-]*)://((?<user>[^@/]+)@)?"
              + "(\\[(?<six>[0-9a-fA-F:.%a-z]+)\\]|(?<host>[^:/\\[\\]@\\s]+))(:(?<port>[0-9]{1,5}))?/?");
  private static final Pattern HOSTLESS =
      Pattern.compile("(?<scheme>[a-z][a-z0-9-]*)://(:(?<port>[0-9]{1,5}))?");
  private static final Pattern LOCAL =
      Pattern.compile("(?<scheme>[a-z][a-z0-9-]*):(//(?=/))?(?<path>(?!//).+)");

  /** The endpoint of a Unix socket. */
  public static Endpoint unix(String path) {
    return new Endpoint(UNIX, "", "", UNSET, path);
  }

  /**
   * Reads a URI.
   *
   * @throws IllegalArgumentException if it is not one; the message says what is expected
   */
  public static Endpoint parse(String uri) {
    Matcher hosted = HOSTED.matcher(uri);
    if (hosted.matches()) {
      String six = hosted.group("six");
      return new Endpoint(
          hosted.group("scheme"),
          orEmpty(hosted.group("user")),
          six != null ? six : hosted.group("host"),
          port(uri, hosted.group("port")),
          "");
    }
    Matcher hostless = HOSTLESS.matcher(uri);
    if (hostless.matches()) {
      int port = port(uri, hostless.group("port"));
      return new Endpoint(hostless.group("scheme"), "", "", port, "");
    }
    Matcher local = LOCAL.matcher(uri);
    if (local.matches()) {
      return new Endpoint(local.group("scheme"), "", "", UNSET, local.group("path"));
    }
    throw new IllegalArgumentException(
        "'"
            + uri
            + "' is not an endpoint; expected unix:PATH, tcp://HOST[:PORT], tls://HOST[:PORT],"
            + " vsock://[CID][:PORT] or ssh://[USER@]HOST");
  }

  /** The port, or {@code otherwise} if none was said. */
  public int portOr(int otherwise) {
    return port == UNSET ? otherwise : port;
  }

  /**
   * Returns the path.
   *
   * @throws MalformedURLException if there is none
   */
  public String requirePath() throws MalformedURLException {
    if (path.isEmpty()) {
      throw new MalformedURLException("'" + this + "': expected " + scheme + ":PATH");
    }
    return path;
  }

  /**
   * Returns the host.
   *
   * @throws MalformedURLException if there is none
   */
  public String requireHost() throws MalformedURLException {
    if (host.isEmpty()) {
      throw new MalformedURLException("'" + this + "': expected " + scheme + "://HOST");
    }
    return host;
  }

  /** The URI. */
  @Override
  public String toString() {
    if (!path.isEmpty()) {
      return scheme + ":" + path;
    }
    String name = host.contains(":") ? "[" + host + "]" : host;
    return scheme
        + "://"
        + (user.isEmpty() ? "" : user + "@")
        + name
        + (port == UNSET ? "" : ":" + port);
  }

  private static int port(String uri, String digits) {
    int port = digits == null ? UNSET : Integer.parseInt(digits);
    if (port > 0xffff) {
      throw new IllegalArgumentException("'" + uri + "': a port is at most 65535");
    }
    return port;
  }

  private static String orEmpty(String text) {
    return text == null ? "" : text;
  }
}
