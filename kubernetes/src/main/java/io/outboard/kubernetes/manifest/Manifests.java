// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;

import java.net.URI;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The objects of a cluster, as text for {@code kubectl apply}: those of the chart, and the
 * namespace that Helm makes by itself.
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

  private static final Pattern PORT = Pattern.compile(":([0-9]+)$");
  private static final String CLUSTER_PORT = "6443";

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
   * @param api the lease office, with its port
   */
  public record Inside(String image, String clientImage, String api) {}

  /**
   * All of them, in the order in which they can be made.
   *
   * @throws IllegalArgumentException if a value is more than a value
   */
  public String text() {
    Chart chart = new Chart(values());
    return Stream.of(
            Chart.file("crds/gpuleases.yaml"),
            namespaceText(),
            chart.filled("access.yaml"),
            chart.filled("service.yaml"),
            chart.filled("webhook.yaml"))
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining("---\n"));
  }

  private String namespaceText() {
    return """
        apiVersion: v1
        kind: Namespace
        metadata:
          name: %s
        """
        .formatted(word("the namespace", namespace));
  }

  private Map<String, String> values() {
    String url = outside.map(URI::toString).map(text -> word("its address", text)).orElse("");
    String api = word("the interface", inside.api());
    return Map.ofEntries(
        entry(".Release.Namespace", word("the namespace", namespace)),
        entry(".Values.image | quote", quoted(word("the image", inside.image()))),
        entry(".Values.clientImage", word("the client's image", inside.clientImage())),
        entry(".Values.api", api),
        entry("regexFind \"[0-9]+$\" .Values.api", port(api)),
        entry(".Values.clusterPort", CLUSTER_PORT),
        entry(".Values.webhook.url", url),
        entry(".Values.webhook.url | quote", quoted(url)),
        entry(
            "required \"webhook.ca says who vouches for it\" .Values.webhook.ca | b64enc",
            Base64.getEncoder().encodeToString(authority.getBytes(UTF_8))),
        entry(".Values.webhook.failurePolicy", failurePolicy.name()));
  }

  private static String port(String api) {
    Matcher port = PORT.matcher(api);
    if (!port.find()) {
      throw new IllegalArgumentException("the interface has no port: '" + api + "'");
    }
    return port.group(1);
  }

  private static String quoted(String word) {
    return "\"" + word + "\"";
  }

  private static String word(String what, String value) {
    if (!WORD.matcher(value).matches()) {
      throw new IllegalArgumentException(what + " is no word: '" + value + "'");
    }
    return value;
  }
}
