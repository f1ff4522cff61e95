// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A cluster of Kubernetes whose accounts are known here, as the file has it.
 *
 * @param name by which rules know it
 * @param server its API server, which is asked about each token
 * @param issuer as its tokens name it
 * @param audience of which a token has to be
 * @param token the file with the token by which it is asked
 * @param authorities who vouches for the server, PEM; where it is empty, those of the JDK
 */
public record Cluster(
    String name,
    URI server,
    String issuer,
    String audience,
    Path token,
    Optional<Path> authorities) {
  private static final Set<String> KEYS =
      Set.of("server", "issuer", "audience", "token-file", "ca");

  /**
   * Makes one of the values that a file has.
   *
   * @throws IllegalArgumentException if something is missing, or not known, or impossible
   */
  public static Cluster of(String name, Map<String, String> values) {
    for (String key : values.keySet()) {
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException("a cluster has no '" + key + "'");
      }
    }
    return new Cluster(
        name,
        WebAddress.parse(wanted(values, "server")),
        wanted(values, "issuer"),
        wanted(values, "audience"),
        Path.of(wanted(values, "token-file")),
        Optional.ofNullable(values.get("ca")).map(Path::of));
  }

  private static String wanted(Map<String, String> values, String key) {
    String value = values.getOrDefault(key, "");
    if (value.isEmpty()) {
      throw new IllegalArgumentException("it wants '" + key + "'");
    }
    return value;
  }
}
