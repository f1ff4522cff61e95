// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.claim;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;

/**
 * The objects of a cluster for claims, as text for {@code kubectl apply}.
 *
 * @param namespace of the service
 * @param image of the driver
 */
public record ClaimManifests(String namespace, String image) {
  /** A part of YAML that is one word however it is read. */
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]*");

  /** The class of devices, rights, and the driver of each node. */
  public String text() {
    return filled("claims");
  }

  /** Claims of users: a whole GPU, some of one, and a pod that has it. */
  public String examples() {
    return filled("examples");
  }

  private String filled(String name) {
    return read(name)
        .replace("{{namespace}}", word("the namespace", namespace))
        .replace("{{image}}", word("the image", image))
        .replace("{{driver}}", Driver.NAME);
  }

  private static String word(String what, String value) {
    if (!WORD.matcher(value).matches()) {
      throw new IllegalArgumentException(what + " is no word: '" + value + "'");
    }
    return value;
  }

  private static String read(String name) {
    try (InputStream text = ClaimManifests.class.getResourceAsStream(name + ".yaml")) {
      return new String(text.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
