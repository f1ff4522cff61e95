// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.console;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Request;
import java.net.URI;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The names by which browsers may reach this server. A page of somebody else's can have a name of
 * his lead to this server's address (DNS rebinding), and can have a browser send requests of its
 * own: neither is answered.
 */
public final class OwnHosts {
  private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}\\z");

  // No name of anybody's: nobody can have an address lead elsewhere.
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[[0-9a-f:.]+]");
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  private final Set<String> names = new TreeSet<>(Set.of("localhost"));

  /** Takes names beside {@code localhost} and all addresses. */
  public OwnHosts(Collection<String> more) {
    more.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
  }

  /**
   * Checks a request for what anybody may have.
   *
   * @throws Problem if the browser was led here by another name
   */
  public void checkName(Request request) throws Problem {
    String host = request.headers().getOrDefault("host", "").toLowerCase(Locale.ROOT);
    String name = PORT.matcher(host).replaceFirst("");
    if (!ADDRESS.matcher(name).matches() && !names.contains(name)) {
      throw new Problem(
          Problem.MISDIRECTED, "this is not the host of that name: --api-host lets it have one");
    }
  }

  /**
   * Checks where a request comes from, as far as a browser says so.
   *
   * @throws Problem if it is the page of another server
   */
  public void checkOrigin(Request request) throws Problem {
    String site = request.headers().getOrDefault("sec-fetch-site", "none");
    String origin = request.headers().get("origin");
    boolean own = OWN_SITES.contains(site) && (origin == null || isOwn(origin, request));
    if (!own && !isVisit(request)) {
      throw new Problem(Problem.FORBIDDEN, "the page of another server asks for this");
    }
    if (origin != null) {
      checkName(request);
    }
  }

  /** Somebody follows a link of another page; a browser brings no token then. */
  private static boolean isVisit(Request request) {
    return request.method().equals("GET")
        && request.headers().getOrDefault("sec-fetch-mode", "").equals("navigate")
        && !request.headers().containsKey("origin");
  }

  private static boolean isOwn(String origin, Request request) {
    try {
      String host = request.headers().getOrDefault("host", "");
      return host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
