// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.oidc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.http.WholeAnswer;
import io.outboard.api.json.Json;
import io.outboard.communicator.certificate.Pem;
import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.wire.Printable;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Asks the server of a provider: no redirection is followed, and each answer is bounded. */
public final class ProviderClient implements AutoCloseable {
  /** In which an answer has come as a whole. */
  static final Duration LIMIT = Duration.ofSeconds(5);

  /** Bytes of an answer: a key set with some hundred keys. */
  static final long MOST_BYTES = 256 << 10;

  private static final int CREATED = 201;

  private final HttpClient http;
  private final Duration limit;

  /**
   * Makes one.
   *
   * @param authorities who vouches for the server, PEM; where it is empty, those of the JDK
   */
  public ProviderClient(Optional<Path> authorities) throws IOException {
    this(authorities, LIMIT);
  }

  ProviderClient(Optional<Path> authorities, Duration limit) throws IOException {
    TlsCaller tls =
        new TlsCaller(
            authorities.isPresent() ? Pem.certificates(authorities.get()) : List.of(),
            Optional.empty());
    this.limit = limit;
    this.http = WholeAnswer.client(tls, limit);
  }

  /**
   * An answer.
   *
   * @param status of HTTP
   * @param text of the body
   */
  record Told(int status, String text) {
    private static final int GOOD = 200;
    private static final int MOST_TEXT = 256;

    boolean isGood() {
      return status == GOOD;
    }

    /**
     * The object that a good answer is.
     *
     * @throws RefusedLoginException if it is none, with the provider's reason
     */
    Map<?, ?> good() throws IOException {
      if (!isGood()) {
        throw refused();
      }
      return object();
    }

    /** The provider's reason for its refusal. */
    RefusedLoginException refused() throws IOException {
      Map<?, ?> fields = object();
      Object error =
          fields.get("error_description") instanceof String ? "error_description" : "error";
      String why = String.valueOf(fields.get(error));
      return new RefusedLoginException(
          "the provider refuses (%d): %s"
              .formatted(
                  status, Printable.of(why.substring(0, Math.min(why.length(), MOST_TEXT)))));
    }

    /**
     * The object that it is.
     *
     * @throws IOException if it is none
     */
    Map<?, ?> object() throws IOException {
      try {
        if (Json.read(text) instanceof Map<?, ?> object) {
          return object;
        }
        throw new IOException("the provider's answer is no object of JSON");
      } catch (IllegalArgumentException e) {
        throw new IOException("the provider's answer is no JSON: " + e.getMessage(), e);
      }
    }
  }

  /** Asks for something; another status than 200 is a failure. */
  Told get(URI where) throws IOException {
    Told told = send(HttpRequest.newBuilder(where).header("Accept", "application/json").build());
    if (!told.isGood()) {
      throw new IOException("%s answers %d".formatted(where, told.status()));
    }
    return told;
  }

  /** Sends a form. */
  Told post(URI where, Map<String, String> form) throws IOException {
    String body =
        form.entrySet().stream()
            .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
            .collect(Collectors.joining("&"));
    return send(
        HttpRequest.newBuilder(where)
            .header("Accept", "application/json")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  /**
   * Sends JSON with a token; another status than 201 is a failure, as the object is made.
   *
   * @throws IOException if it is not taken
   */
  Told post(URI where, String token, String json) throws IOException {
    Told told =
        send(
            HttpRequest.newBuilder(where)
                .header("Accept", "application/json")
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token)
                .POST(BodyPublishers.ofString(json))
                .build());
    if (told.status() != CREATED) {
      throw new IOException("%s answers %d".formatted(where, told.status()));
    }
    return told;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private Told send(HttpRequest request) throws IOException {
    HttpResponse<String> answer = WholeAnswer.told(http, request, MOST_BYTES, limit);
    return new Told(answer.statusCode(), answer.body());
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
