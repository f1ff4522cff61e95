// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.proxy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * A grid whose proxies are believed, as the file has it.
 *
 * @param name by which rules know it
 * @param audience of which a token has to be
 * @param certificates the folder of authorities, their namespaces and lists of what is revoked, by
 *     OpenSSL's hashes, as IGTF distributes them
 * @param vomsdir the folder that says which server speaks for which virtual organisation: {@code
 *     VO/HOST.lsc}
 * @param revocation whether each authority has to have a list of what is revoked that is good now
 * @param limited whether limited proxies are taken, as jobs have them
 */
public record Grid(
    String name,
    String audience,
    Path certificates,
    Path vomsdir,
    boolean revocation,
    boolean limited) {
  private static final Set<String> KEYS =
      Set.of("audience", "certificates", "vomsdir", "revocation", "limited");
  private static final String USUAL_FOLDER = "/etc/grid-security/";

  /**
   * Makes one of the values that a file has.
   *
   * @throws IllegalArgumentException if something is missing, or not known, or impossible
   */
  public static Grid of(String name, Map<String, String> values) {
    for (String key : values.keySet()) {
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException("a grid has no '" + key + "'");
      }
    }
    String audience = values.getOrDefault("audience", "");
    if (audience.isEmpty()) {
      throw new IllegalArgumentException("it wants 'audience': tokens for others are none here");
    }
    return new Grid(
        name,
        audience,
        Path.of(values.getOrDefault("certificates", USUAL_FOLDER + "certificates")),
        Path.of(values.getOrDefault("vomsdir", USUAL_FOLDER + "vomsdir")),
        word(values, "revocation", "required", "where-known"),
        word(values, "limited", "taken", "refused"));
  }

  private static boolean word(Map<String, String> values, String key, String yes, String no) {
    String word = values.getOrDefault(key, key.equals("revocation") ? yes : no);
    if (!word.equals(yes) && !word.equals(no)) {
      throw new IllegalArgumentException("%s is %s or %s, not '%s'".formatted(key, yes, no, word));
    }
    return word.equals(yes);
  }
}
