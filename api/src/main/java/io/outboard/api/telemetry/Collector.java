// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.telemetry;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A collector that takes OTLP over HTTP (OpenTelemetry Protocol 1, 'OTLP/HTTP').
 *
 * @param base to which {@code v1/metrics} and {@code v1/traces} are added
 * @param headers that requests bring, as a token of the collector's
 */
public record Collector(URI base, Map<String, String> headers) {
  /** Copies the headers. */
  public Collector {
    headers = Map.copyOf(headers);
  }

  /**
   * That of a base URL, and of headers as {@code OTEL_EXPORTER_OTLP_HEADERS} has them.
   *
   * @throws IllegalArgumentException if one is none
   */
  public static Collector of(String url, String headers) {
    URI base = URI.create(url.endsWith("/") ? url : url + "/");
    boolean http = "http".equals(base.getScheme()) || "https".equals(base.getScheme());
    if (!http || base.getHost() == null || base.getQuery() != null) {
      throw new IllegalArgumentException(
          "a collector is http://HOST:PORT or https://HOST:PORT, as http://127.0.0.1:4318");
    }
    Map<String, String> named = new LinkedHashMap<>();
    for (String header : headers.isBlank() ? new String[0] : headers.split(",", -1)) {
      String[] parts = header.split("=", 2);
      if (parts.length < 2 || parts[0].isBlank()) {
        throw new IllegalArgumentException("headers for a collector are NAME=VALUE,NAME=VALUE");
      }
      named.put(parts[0].strip(), parts[1].strip());
    }
    return new Collector(base, named);
  }

  /** Where a signal goes. */
  String url(String signal) {
    return base.resolve("v1/" + signal).toString();
  }
}
