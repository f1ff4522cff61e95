// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The objects of a cluster, as text for {@code kubectl apply}.
 *
 * @param namespace of the adapter
 * @param authority that vouches for the webhook, PEM
 * @param failurePolicy the API server's, where the webhook does not answer
 * @param outside where the adapter answers outside of the cluster; empty where the cluster runs it
 * @param inside how the cluster runs it
 */
public record Manifests(
    String namespace,
    String authority,
    FailurePolicy failurePolicy,
    Optional<URI> outside,
    Inside inside) {
  /** A part of YAML that is one word however it is read. */
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@\\[\\]-]*");

  /** The fate of a pod when the webhook does not answer (Kubernetes, "Failure policy"). */
  public enum FailurePolicy {
    /** It is made as it is, without GPUs. */
    Ignore,
    /** It is not made. */
    Fail
  }

  /**
   * The adapter as a deployment.
   *
   * @param image of the server
   * @param clientImage of the client, for pods
   * @param api the lease office
   */
  public record Inside(String image, String clientImage, String api) {}

  /** All of them, in the order in which they can be made. */
  public String text() {
    List<String> parts = new ArrayList<>(List.of(part("crd"), part("access")));
    if (outside.isEmpty()) {
      parts.add(part("service"));
    }
    parts.add(part("webhook"));
    return String.join("---\n", parts);
  }

  private String part(String name) {
    return filled(read(name));
  }

  private String filled(String template) {
    String client =
        outside
            .map(url -> "url: " + word("the webhook's address", url.toString()))
            .orElse("service: {name: outboard, namespace: {{namespace}}, path: /v1/pods}");
    return template
        .replace("{{client}}", client)
        .replace("{{namespace}}", word("the namespace", namespace))
        .replace("{{ca}}", Base64.getEncoder().encodeToString(authority.getBytes(UTF_8)))
        .replace("{{failurePolicy}}", failurePolicy.name())
        .replace("{{image}}", word("the image", inside.image()))
        .replace("{{clientImage}}", word("the client's image", inside.clientImage()))
        .replace("{{api}}", word("the interface", inside.api()));
  }

  private static String word(String what, String value) {
    if (!WORD.matcher(value).matches()) {
      throw new IllegalArgumentException(what + " is no word: '" + value + "'");
    }
    return value;
  }

  /** The text of a resource of this package. */
  static String read(String name) {
    try (InputStream text = Manifests.class.getResourceAsStream(name + ".yaml")) {
      return new String(text.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
