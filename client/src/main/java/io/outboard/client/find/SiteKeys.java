// SPDX-License-Identifier: Apache-2.0
package io.outboard.client.find;

import io.outboard.communicator.Endpoint;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The keys of {@code outboard.properties} about sites: {@code sites} has their names, and {@code
 * site.NAME.…} says of each where it is.
 */
final class SiteKeys {
  /** Names, with spaces or commas between; the first is the first where all else is the same. */
  static final String NAMES = "sites";

  private static final int MOST = 32;
  private static final String NAME = "[a-z0-9][a-z0-9-]{0,31}";
  private static final Set<String> LOCAL = Set.of("127.0.0.1", "localhost", "[::1]");

  private final Properties keys;
  private final Path file;

  SiteKeys(Properties keys, Path file) {
    this.keys = keys;
    this.file = file;
  }

  /**
   * The sites in their order.
   *
   * @throws IllegalArgumentException if a key is missing or wrong; the message names the file
   */
  List<Site> sites() {
    List<String> names =
        Stream.of(keys.getProperty(NAMES).split("[\\s,]+", -1))
            .filter(name -> !name.isEmpty())
            .toList();
    if (names.size() > MOST) {
      throw wrong(NAMES, "at most " + MOST + " sites");
    }
    if (names.stream().distinct().count() < names.size()) {
      throw wrong(NAMES, "a site is there twice");
    }
    return names.stream().map(this::site).toList();
  }

  private Site site(String name) {
    if (!name.matches(NAME)) {
      throw wrong(NAMES, "'" + name + "' is no name: small letters, digits and dashes are");
    }
    return new Site(
        name,
        backend(name),
        api(name),
        path(key(name, "token-file")),
        path(key(name, "ca")),
        file.toString());
  }

  private Endpoint backend(String name) {
    String key = key(name, "backend");
    try {
      return Endpoint.parse(required(key));
    } catch (IllegalArgumentException e) {
      throw wrong(key, e.getMessage());
    }
  }

  /** The document decides where programs go: nobody on the way may change it. */
  private URI api(String name) {
    String key = key(name, "api");
    try {
      URI uri = URI.create(required(key));
      boolean local =
          "http".equals(uri.getScheme()) && LOCAL.contains(String.valueOf(uri.getHost()));
      if (uri.getHost() != null && (local || "https".equals(uri.getScheme()))) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      throw wrong(key, e.getMessage());
    }
    throw wrong(key, "https://HOST:PORT is wanted, or http://127.0.0.1:PORT");
  }

  /** Beside the file that names it, unless it says where. */
  private Optional<Path> path(String key) {
    return value(key).map(name -> file.toAbsolutePath().resolveSibling(name));
  }

  private Optional<String> value(String key) {
    return Optional.ofNullable(keys.getProperty(key)).map(String::strip).filter(v -> !v.isEmpty());
  }

  private String required(String key) {
    return value(key).orElseThrow(() -> new IllegalArgumentException("it is missing"));
  }

  private static String key(String name, String what) {
    return "site." + name + "." + what;
  }

  private IllegalArgumentException wrong(String key, String why) {
    return new IllegalArgumentException("%s: %s: %s".formatted(file, key, why));
  }
}
