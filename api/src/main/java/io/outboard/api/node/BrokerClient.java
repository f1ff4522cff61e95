// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.json.Json;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.communicator.certificate.TlsTrust;
import io.outboard.lease.node.NodeOrders;
import io.outboard.lease.node.NodeReport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/** The broker that leads among several, as a node asks it, over HTTP. */
public final class BrokerClient {
  /** The status of an answer to a node that is not known, or not any more. */
  static final int REFUSED = 401;

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final int WAIT_SECONDS = 10;
  private static final int GOOD = 300;

  private final List<URI> brokers;
  private final HttpClient http;
  private final AtomicInteger asked = new AtomicInteger();

  /**
   * Makes one.
   *
   * @param brokers their URLs; the next one is asked where one does not answer
   * @param node the name of the node
   * @param authorities who vouches for the broker; the system's where there are none
   */
  public BrokerClient(List<URI> brokers, String node, List<X509Certificate> authorities)
      throws IOException {
    this.brokers =
        brokers.stream().map(broker -> broker.resolve("/v1/pool/" + node + "/")).toList();
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
    if (!authorities.isEmpty()) {
      builder.sslContext(trusting(authorities));
    }
    this.http = builder.build();
  }

  private static SSLContext trusting(List<X509Certificate> authorities) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance(TlsServer.VERSION);
      context.init(null, TlsTrust.managers(authorities), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the authorities cannot be used: " + e.getMessage(), e);
    }
  }

  /**
   * Joins the pool, at whichever broker answers.
   *
   * @param invitation the token for that
   * @return the secret of the node from now on
   */
  public String join(String invitation) throws IOException {
    for (int left = brokers.size(); ; left--) {
      try {
        return joinOne(invitation);
      } catch (RefusedException e) {
        throw e;
      } catch (IOException e) {
        if (left <= 1) {
          throw e;
        }
      }
    }
  }

  private String joinOne(String invitation) throws IOException {
    return (String) object(ask("join", "POST", "", invitation, ANSWER)).get("secret");
  }

  /** Asks for orders, and waits for some time until they are others than these. */
  NodeOrders orders(String secret, long term, long version) throws IOException {
    String path = "orders?term=%d&version=%d&wait=%d".formatted(term, version, WAIT_SECONDS);
    try {
      Duration limit = ANSWER.plusSeconds(WAIT_SECONDS);
      return NodeJson.orders(Json.read(ask(path, "GET", "", secret, limit)));
    } catch (IllegalArgumentException e) {
      throw new IOException("the broker's answer cannot be read: " + e.getMessage(), e);
    }
  }

  /** Reports. */
  void report(String secret, NodeReport report) throws IOException {
    String unused = ask("report", "POST", Json.write(NodeJson.of(report)), secret, ANSWER);
  }

  private String ask(String path, String method, String body, String secret, Duration limit)
      throws IOException {
    int which = asked.get();
    try {
      return ask(brokers.get(which).resolve(path), method, body, secret, limit);
    } catch (RefusedException e) {
      throw e;
    } catch (IOException e) {
      boolean unused = asked.compareAndSet(which, (which + 1) % brokers.size());
      throw e;
    }
  }

  private String ask(URI where, String method, String body, String secret, Duration limit)
      throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(where)
            .timeout(limit)
            .header("Authorization", "Bearer " + secret)
            .header("Content-Type", "application/json")
            .method(
                method,
                method.equals("GET")
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body, UTF_8))
            .build();
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString(UTF_8));
      if (answer.statusCode() == REFUSED) {
        throw new RefusedException(reason(answer.body()));
      }
      if (answer.statusCode() >= GOOD) {
        throw new IOException(
            "the broker answers %d: %s".formatted(answer.statusCode(), reason(answer.body())));
      }
      return answer.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** The text of a problem (RFC 9457). */
  private static String reason(String body) {
    try {
      return String.valueOf(object(body).get("detail"));
    } catch (IOException e) {
      return body;
    }
  }

  private static Map<?, ?> object(String body) throws IOException {
    try {
      if (Json.read(body) instanceof Map<?, ?> object) {
        return object;
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("the broker's answer cannot be read: " + e.getMessage(), e);
    }
    throw new IOException("the broker's answer is no object");
  }

  /** The broker does not know this node, or not any more. */
  public static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedException(String why) {
      super("the broker refuses this node: " + why);
    }
  }
}
