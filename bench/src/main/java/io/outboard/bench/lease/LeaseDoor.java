// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.lease;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.api.ApiAddress;
import io.outboard.api.ApiServer;
import io.outboard.api.monitoring.Node;
import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.pool.Pool;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Through which leases are asked for and given back, from many threads. */
interface LeaseDoor extends AutoCloseable {
  Duration DAY = Duration.ofDays(1);

  /** Asks for thousandths of a GPU, which are free; the lease's id. */
  String lease(String tenant, int share) throws LeaseException, IOException;

  void release(String lease) throws LeaseException, IOException;

  @Override
  default void close() {}

  /** The pool itself. */
  static LeaseDoor of(Pool pool) {
    return new LeaseDoor() {
      @Override
      public String lease(String tenant, int share) throws LeaseException {
        Form wanted =
            new Form().with("tenant", tenant).with("share", share).with("seconds", DAY.toSeconds());
        Form lease = pool.ask("lease", wanted).getFirst();
        return granted(lease.get("state"), lease.get("id"));
      }

      @Override
      public void release(String lease) throws LeaseException {
        List<Form> unused = pool.ask("release", new Form().with("id", lease));
      }
    };
  }

  /** Its HTTP interface, as an operator's. */
  static LeaseDoor overHttp(Pool pool, Path folder) throws IOException {
    return new OverHttp(pool, folder);
  }

  private static String granted(String state, String id) {
    if (!state.equals("granted")) {
      throw new IllegalStateException("there are too few GPUs");
    }
    return id;
  }

  /** The interface, and clients that keep their connections. */
  final class OverHttp implements LeaseDoor {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int UNLIMITED = 1_000_000;
    private static final int GOOD = 300;

    private final ApiServer server;
    private final String secret;
    private final HttpClient client = HttpClient.newHttpClient();

    private OverHttp(Pool pool, Path folder) throws IOException {
      Node node = new Node("bench", "", List.of(), Instant.now());
      server =
          ApiServer.at(ApiAddress.parse("http://127.0.0.1:0"))
              .rate(UNLIMITED)
              .start(pool, node, folder);
      secret = pool.accounts().issue(new Standing(Role.OPERATOR, ""), "", DAY).secret();
    }

    @Override
    public String lease(String tenant, int share) throws IOException {
      String body =
          "{\"tenant\": \"%s\", \"share\": %s, \"seconds\": %d}"
              .formatted(tenant, share / (double) LeaseRequest.WHOLE, DAY.toSeconds());
      JsonNode lease = post("/v1/leases", body);
      return granted(lease.get("state").asText(), lease.get("id").asText());
    }

    @Override
    public void release(String lease) throws IOException {
      JsonNode unused = post("/v1/leases/" + lease + "/release", "{}");
    }

    private JsonNode post(String path, String body) throws IOException {
      URI uri = server.uri().resolve(path);
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .header("Authorization", "Bearer " + secret)
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();
      try {
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= GOOD) {
          throw new IOException(answer.statusCode() + ": " + answer.body());
        }
        return JSON.readTree(answer.body());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }

    @Override
    public void close() {
      client.close();
      server.close();
    }
  }
}
