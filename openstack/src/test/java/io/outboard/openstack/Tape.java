// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.office.rest.Fields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * OpenStack's answers. A tape that records passes requests on to real services; one that replays
 * answers as they did, to the same requests in the same order: of each method and path, since
 * threads may ask at the same time. The answer to a question may be the last one as often as it is
 * asked; a change is recorded as often as it is made.
 */
final class Tape implements AutoCloseable {
  private static final String HERE = "http://CLOUD";
  private static final int UNKNOWN = 599;

  private final Optional<Map<String, String>> real;
  private final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Map<String, Object>> recorded = new ArrayList<>();
  private final Map<String, List<Fields>> played = new HashMap<>();
  private final Map<String, String> tokens = new LinkedHashMap<>();
  private final List<String> surprises = new ArrayList<>();
  private final Instant begin;

  /** Records: the services' addresses by the first part of the path that they have here. */
  static Tape record(Map<String, String> services) throws IOException {
    return new Tape(Optional.of(services), Instant.now());
  }

  /** Replays a file. */
  static Tape replay(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    Tape tape =
        new Tape(Optional.empty(), Instant.parse(Fields.read(lines.getFirst()).text("begin")));
    for (String line : lines.subList(1, lines.size())) {
      Fields exchange = Fields.read(line);
      tape.played.computeIfAbsent(exchange.text("request"), _ -> new ArrayList<>()).add(exchange);
    }
    return tape;
  }

  private Tape(Optional<Map<String, String>> real, Instant begin) throws IOException {
    this.real = real;
    this.begin = begin;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.start();
  }

  /** When it was recorded: tokens are good from then on. */
  Instant begin() {
    return begin;
  }

  boolean records() {
    return real.isPresent();
  }

  /** Where a service is. */
  URI at(String service) {
    return URI.create(base() + "/" + service);
  }

  private String base() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The requests that are not on the tape. */
  synchronized List<String> surprises() {
    return List.copyOf(surprises);
  }

  private synchronized void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      Fields answer = records() ? ask(exchange, body) : found(exchange, body);
      byte[] bytes = answer.text("answer").replace(HERE, base()).getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      if (!answer.text("token").isEmpty()) {
        exchange.getResponseHeaders().set("X-Subject-Token", answer.text("token"));
      }
      exchange.sendResponseHeaders(
          (int) answer.count("status"), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** A token that is asked about is part of the question. */
  private static String request(HttpExchange exchange) {
    String subject = exchange.getRequestHeaders().getFirst("X-Subject-Token");
    return "%s %s%s"
        .formatted(
            exchange.getRequestMethod(),
            exchange.getRequestURI(),
            subject == null ? "" : " " + subject);
  }

  private Fields found(HttpExchange exchange, String body) {
    String request = request(exchange);
    List<Fields> answers = played.getOrDefault(request, List.of());
    if (answers.isEmpty()) {
      return unknown(request + " is not on the tape");
    }
    Fields answer = answers.getFirst();
    if (answers.size() > 1 || !exchange.getRequestMethod().equals("GET")) {
      answers.removeFirst();
    }
    return answer.text("body").equals(body) ? answer : unknown(request + " has the body " + body);
  }

  private Fields unknown(String what) {
    surprises.add(what);
    return new Fields(Map.of("status", (long) UNKNOWN, "answer", "{}"));
  }

  private Fields ask(HttpExchange exchange, String body) throws IOException, InterruptedException {
    String path = exchange.getRequestURI().toString();
    String service = path.split("/", 3)[1];
    HttpRequest.Builder asking =
        HttpRequest.newBuilder(
                URI.create(real.get().get(service) + path.substring(1 + service.length())))
            .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofString(body));
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> forward(asking, name, values.getFirst()));
    HttpResponse<String> told = send(asking.build());
    Map<String, Object> answer =
        Ordered.of(
            "request", request(exchange),
            "body", body,
            "status", (long) told.statusCode(),
            "token", disguise(told.headers().firstValue("X-Subject-Token").orElse("")),
            "answer", ours(told.body()));
    recorded.add(answer);
    return new Fields(answer);
  }

  /** Once more where a service has closed a connection that it had kept. */
  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }

  private void forward(HttpRequest.Builder asking, String name, String value) {
    if (name.toLowerCase(Locale.ROOT).matches("x-.*|openstack-.*|content-type|accept")) {
      asking.header(name, reveal(value));
    }
  }

  private String ours(String answer) {
    String here = answer;
    for (Map.Entry<String, String> service : real.get().entrySet()) {
      here = here.replace(service.getValue(), HERE + "/" + service.getKey());
    }
    return here;
  }

  /** Real tokens stay out of the tape. */
  private String disguise(String token) {
    return token.isEmpty()
        ? ""
        : tokens.computeIfAbsent(token, _ -> "token-" + (tokens.size() + 1));
  }

  private String reveal(String value) {
    return tokens.entrySet().stream()
        .filter(one -> one.getValue().equals(value))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(value);
  }

  /** Writes what was recorded. */
  synchronized void write(Path file) {
    List<String> lines = new ArrayList<>();
    lines.add(Json.write(Map.of("begin", begin.toString())));
    recorded.forEach(one -> lines.add(Json.write(one)));
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    client.close();
  }
}
