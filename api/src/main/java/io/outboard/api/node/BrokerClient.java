// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.http.WholeAnswer;
import io.outboard.api.json.Json;
import io.outboard.communicator.certificate.Pem;
import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.lease.node.NodeOrders;
import io.outboard.lease.node.NodeReport;
import io.outboard.wire.Printable;
import io.outboard.wire.Token;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** The broker that leads among several, as a node asks it, over HTTP. */
public final class BrokerClient {
  /** The status of an answer to a node that is not known, or not any more. */
  static final int REFUSED = 401;

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final int WAIT_SECONDS = 10;
  private static final int GOOD = 300;

  /** Most bytes of an answer: the orders of some 10,000 leases. */
  private static final long MOST_ANSWER = 8 << 20;

  private static final int MOST_REASON = 256;

  private final List<URI> brokers;
  private final HttpClient http;
  private final Duration answer;
  private final AtomicInteger asked = new AtomicInteger();

  /**
   * Makes one.
   *
   * @param brokers their URLs; the next one is asked where one does not answer
   * @param node the name of the node
   * @param tls who the node is, and who vouches for the broker
   */
  public BrokerClient(List<URI> brokers, String node, TlsCaller tls) throws IOException {
    this(brokers, node, tls, ANSWER);
  }

  BrokerClient(List<URI> brokers, String node, TlsCaller tls, Duration answer) throws IOException {
    this.answer = answer;
    this.brokers =
        brokers.stream().map(broker -> broker.resolve("/v1/pool/" + node + "/")).toList();
    this.http = WholeAnswer.client(tls, CONNECT);
  }

  /**
   * Joins the pool over this machine's loopback, at whichever broker answers.
   *
   * @param invitation the token for that
   * @return the secret of the node from now on
   */
  public String join(String invitation) throws IOException {
    try {
      return Token.parse(text(joinOne(invitation, Map.of()), "secret")).digits();
    } catch (IllegalArgumentException e) {
      throw new IOException("the broker's answer has no secret", e);
    }
  }

  /**
   * Joins the pool over https, at whichever broker answers.
   *
   * @param invitation the token for that
   * @param key of the node
   * @return its certificate, then that of the pool's authority
   */
  public List<X509Certificate> join(String invitation, PublicKey key) throws IOException {
    String encoded = Base64.getEncoder().encodeToString(key.getEncoded());
    return certificates(joinOne(invitation, Map.of("key", encoded)));
  }

  private String joinOne(String invitation, Map<String, Object> body) throws IOException {
    for (int left = brokers.size(); ; left--) {
      try {
        return ask("join", "POST", Json.write(body), invitation, answer);
      } catch (RefusedException e) {
        throw e;
      } catch (IOException e) {
        if (left <= 1) {
          throw e;
        }
      }
    }
  }

  /** Asks for the next certificate of the key that this has proven. */
  List<X509Certificate> renew() throws IOException {
    return certificates(ask("renew", "POST", "", "", answer));
  }

  private static List<X509Certificate> certificates(String body) throws IOException {
    return Pem.certificates("the broker's answer", text(body, "certificate"));
  }

  private static String text(String body, String name) throws IOException {
    if (object(body).get(name) instanceof String text) {
      return text;
    }
    throw new IOException("the broker's answer has no " + name);
  }

  /** Asks for orders, and waits for some time until they are others than these. */
  NodeOrders orders(String secret, long term, long version) throws IOException {
    String path = "orders?term=%d&version=%d&wait=%d".formatted(term, version, WAIT_SECONDS);
    try {
      Duration limit = answer.plusSeconds(WAIT_SECONDS);
      return NodeJson.orders(Json.read(ask(path, "GET", "", secret, limit)));
    } catch (IllegalArgumentException e) {
      throw new IOException("the broker's answer cannot be read: " + e.getMessage(), e);
    }
  }

  /** Reports. */
  void report(String secret, NodeReport report) throws IOException {
    String unused = ask("report", "POST", Json.write(NodeJson.of(report)), secret, answer);
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
    HttpRequest.Builder asking = HttpRequest.newBuilder(where);
    if (!secret.isEmpty()) {
      asking.header("Authorization", "Bearer " + secret);
    }
    HttpRequest request =
        asking
            .header("Content-Type", "application/json")
            .method(
                method,
                method.equals("GET")
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body, UTF_8))
            .build();
    HttpResponse<String> told = answer(request, limit);
    if (told.statusCode() == REFUSED) {
      throw new RefusedException(reason(told.body()));
    }
    if (told.statusCode() >= GOOD) {
      throw new IOException(
          "the broker answers %d: %s".formatted(told.statusCode(), reason(told.body())));
    }
    return told.body();
  }

  private HttpResponse<String> answer(HttpRequest request, Duration limit) throws IOException {
    try {
      return WholeAnswer.of(http, request, MOST_ANSWER, limit);
    } catch (TimeoutException e) {
      throw new IOException("it has not answered in %d s".formatted(limit.toSeconds()), e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  /** The text of a problem (RFC 9457); only its beginning, as it may be no broker's. */
  private static String reason(String body) {
    String text = body;
    try {
      text = String.valueOf(object(body).get("detail"));
    } catch (IOException e) {
      // Not of this form.
    }
    return Printable.of(text.substring(0, Math.min(text.length(), MOST_REASON)));
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
