// SPDX-License-Identifier: Apache-2.0
package io.outboard.office.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.http.WholeAnswer;
import io.outboard.api.json.Json;
import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.wire.Printable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** Asks servers; follows no redirections, as a token goes along. */
public final class RestClient {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final int GOOD = 300;

  /** Most bytes of an answer: some thousand leases. */
  private static final long MOST_ANSWER = 16 << 20;

  private static final int MOST_REASON = 256;

  private final HttpClient http;
  private final Duration limit;

  /**
   * Makes one.
   *
   * @param limit in which an answer has come as a whole
   */
  public RestClient(TlsCaller tls, Duration limit) throws IOException {
    this.limit = limit;
    this.http = WholeAnswer.client(tls, CONNECT);
  }

  /**
   * Asks.
   *
   * @param headers beside those about the body
   * @param body null for none
   * @throws RestException if the server refuses
   * @throws IOException if it does not answer in time, or not in JSON
   */
  public RestAnswer ask(String method, URI where, Map<String, String> headers, Object body)
      throws IOException {
    HttpRequest.Builder asking =
        HttpRequest.newBuilder(where)
            .header("Accept", "application/json")
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(Json.write(body), UTF_8));
    headers.forEach(asking::header);
    if (body != null) {
      asking.header("Content-Type", "application/json");
    }
    HttpResponse<String> told = answered(asking.build());
    if (told.statusCode() >= GOOD) {
      throw new RestException(told.statusCode(), refusal(method, where, told));
    }
    String token = told.headers().firstValue("X-Subject-Token").orElse("");
    return new RestAnswer(told.statusCode(), token, fields(where, told.body()));
  }

  private static Fields fields(URI where, String body) throws IOException {
    try {
      return Fields.read(body);
    } catch (IllegalArgumentException e) {
      throw new IOException(where + " does not answer in JSON: " + e.getMessage(), e);
    }
  }

  /**
   * A server may close a connection that it has kept while the next request is on its way: what has
   * no other effect the second time is asked once more.
   */
  private HttpResponse<String> answered(HttpRequest request) throws IOException {
    try {
      return answer(request);
    } catch (WholeAnswer.LostException e) {
      if (request.method().equals("POST")) {
        throw e;
      }
      return answer(request);
    }
  }

  private HttpResponse<String> answer(HttpRequest request) throws IOException {
    return WholeAnswer.told(http, request, MOST_ANSWER, limit);
  }

  private static String refusal(String method, URI where, HttpResponse<String> told) {
    return "%s %s: %d %s"
        .formatted(method, where.getPath(), told.statusCode(), reason(told.body()));
  }

  /** The beginning of what a server says, on one line. */
  private static String reason(String body) {
    String text = body.strip();
    return Printable.of(text.substring(0, Math.min(text.length(), MOST_REASON)));
  }
}
