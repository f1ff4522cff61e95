// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.api.monitoring.Node;
import io.outboard.lease.Gpu;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.lease.sqlite.SqliteLocation;
import io.outboard.patience.Patience;
import io.outboard.pool.Pool;
import io.outboard.pool.broker.SteadyClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A server with four devices, and a client of it. */
final class TestServer implements AutoCloseable {
  static final int GPUS = 4;
  static final String MODEL = "NVIDIA A100 \"test\"";
  private static final Duration LIMIT = Patience.LIMIT;
  static final int FAST = 100_000;

  private final Path folder;
  private final Pool pool;
  private final ApiServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  TestServer(Path folder) throws IOException {
    this(folder, FAST);
  }

  TestServer(Path folder, int rate) throws IOException {
    this(folder, rate, pool(folder, new SteadyClock()));
  }

  /** One whose leases begin and end by a clock of the test's. */
  TestServer(Path folder, SteadyClock clock) throws IOException {
    this(folder, FAST, pool(folder, clock));
  }

  /** One of a pool that is there; it closes it. */
  TestServer(Path folder, Pool pool) throws IOException {
    this(folder, FAST, pool);
  }

  private TestServer(Path folder, int rate, Pool pool) throws IOException {
    this(folder, pool, settings -> settings.rate(rate));
  }

  /** One of a pool that is there, with other settings. */
  TestServer(Path folder, Pool pool, Consumer<ApiServer.Builder> settings) throws IOException {
    this.folder = folder;
    this.pool = pool;
    ApiServer.Builder builder = ApiServer.at(ApiAddress.parse("http://127.0.0.1:0"));
    settings.accept(builder);
    server = builder.start(pool, node(), folder);
  }

  static Pool pool(Path folder) {
    return pool(folder, new SteadyClock());
  }

  static Pool pool(Path folder, SteadyClock clock) {
    Pool pool = new Pool(SqliteLocation.in(folder), false, clock);
    pool.open(
        IntStream.range(0, GPUS)
            .mapToObj(number -> new Gpu(number, "GPU-" + number, MODEL, 80L << 30))
            .toList());
    return pool;
  }

  static Node node() {
    return new Node("node", "1.2", List.of("tcp://node:14900"), Instant.EPOCH.plusSeconds(9));
  }

  Pool pool() {
    return pool;
  }

  URI uri() {
    return server.uri();
  }

  /** A token that is good for an hour. */
  String token(Role role, String tenant) {
    return pool.accounts().issue(new Standing(role, tenant), "", Duration.ofHours(1)).secret();
  }

  /** An answer as it came. */
  record Answer(int status, String type, String body) {
    JsonNode json() throws IOException {
      return new ObjectMapper().readTree(body);
    }
  }

  /** Asks with a body of JSON, unless it is empty. */
  Answer ask(String method, String path, String token, String body)
      throws IOException, InterruptedException {
    return ask(method, path, token, body, "application/json");
  }

  /** Asks with a key. */
  Answer keyed(String path, String token, String body, String key)
      throws IOException, InterruptedException {
    return send(
        asking("POST", path, token, body, "application/json").header("Idempotency-Key", key));
  }

  Answer ask(String method, String path, String token, String body, String type)
      throws IOException, InterruptedException {
    return send(asking(method, path, token, body, type));
  }

  private HttpRequest.Builder asking(
      String method, String path, String token, String body, String type) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.uri() + path))
            .timeout(LIMIT)
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    if (!body.isEmpty()) {
      request.header("Content-Type", type);
    }
    return request;
  }

  private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    return new Answer(
        answer.statusCode(), answer.headers().firstValue("content-type").orElse(""), answer.body());
  }

  Answer get(String path, String token) throws IOException, InterruptedException {
    return ask("GET", path, token, "");
  }

  Answer post(String path, String token, String body) throws IOException, InterruptedException {
    return ask("POST", path, token, body);
  }

  /** The lines of a book of the audit log. */
  List<String> audit(String book) throws IOException {
    return Files.readAllLines(folder.resolve(book));
  }

  @Override
  public void close() {
    client.close();
    server.close();
    pool.close();
  }
}
