// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.outboard.pool.AccessToken;
import io.outboard.pool.LeaseException;
import io.outboard.pool.Pool;
import io.outboard.pool.Role;
import io.outboard.pool.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Takes each request: who asks, may that be, is it right; has it done, answers, writes it down. */
final class Gate implements HttpHandler {
  private static final System.Logger LOG = System.getLogger(Gate.class.getName());
  private static final int NO_BODY = -1;

  private final Pool pool;
  private final Router router;
  private final RateLimit addresses;
  private final RateLimit tokens;
  private final AuditLog audit;
  private final Metrics metrics;

  Gate(Pool pool, Router router, RateLimits limits, AuditLog audit, Metrics metrics) {
    this.pool = pool;
    this.router = router;
    this.addresses = limits.addresses();
    this.tokens = limits.tokens();
    this.audit = audit;
    this.metrics = metrics;
  }

  /** Those of addresses and of tokens. */
  record RateLimits(RateLimit addresses, RateLimit tokens) {}

  /** What becomes known of a request, for the log. */
  private static final class Progress {
    private Optional<Operation> operation = Optional.empty();
    private Optional<AccessToken> caller = Optional.empty();

    /** After a mistake of ours it may have been changed. */
    private boolean hasChanged(int status) {
      return changes() && (status < Problem.BAD_REQUEST || status == Problem.MISTAKE);
    }

    private boolean isRefused(int status) {
      boolean turnedAway = status == Problem.UNAUTHORIZED || status == Problem.FORBIDDEN;
      boolean failed = changes() && status >= Problem.BAD_REQUEST;
      return status != Problem.TOO_MANY && (failed || turnedAway);
    }

    private boolean changes() {
      return operation.filter(Operation::changes).isPresent();
    }

    private boolean isOperators() {
      return caller.filter(token -> token.role() == Role.OPERATOR).isPresent();
    }
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Progress progress = new Progress();
      Reply reply = reply(exchange, progress);
      metrics.answered(reply.status());
      writeDown(exchange, progress, reply.status());
      send(exchange, reply);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "a request was not answered", e);
      throw e;
    }
  }

  private void writeDown(HttpExchange exchange, Progress progress, int status) {
    if (progress.hasChanged(status)) {
      audit.changed(progress.isOperators(), line(exchange, progress, status));
    } else if (progress.isRefused(status)) {
      audit.refused(block(exchange), line(exchange, progress, status));
    }
  }

  private static AddressBlock block(HttpExchange exchange) {
    return AddressBlock.of(exchange.getRemoteAddress().getAddress());
  }

  private Reply reply(HttpExchange exchange, Progress progress) throws IOException {
    try {
      return run(exchange, progress);
    } catch (Problem e) {
      return e.reply();
    } catch (IllegalArgumentException e) {
      // What no schema says, and the pool does not take.
      return new Problem(Problem.BAD_REQUEST, e.getMessage()).reply();
    } catch (LeaseException e) {
      return new Problem(Problem.CONFLICT, e.getMessage()).reply();
    } catch (StoreException e) {
      LOG.log(System.Logger.Level.ERROR, "the store cannot be used", e);
      return new Problem(Problem.UNAVAILABLE, "the store of leases cannot be used").reply();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a request failed", e);
      return new Problem(Problem.MISTAKE, "a mistake of the server; its log has more").reply();
    }
  }

  private Reply run(HttpExchange exchange, Progress progress)
      throws Problem, LeaseException, IOException {
    admit(addresses, block(exchange).text());
    Router.Found found =
        router.find(exchange.getRequestMethod(), exchange.getRequestURI().getRawPath());
    Operation operation = found.operation();
    progress.operation = Optional.of(operation);
    if (operation.role().isPresent()) {
      progress.caller = Optional.of(caller(exchange));
      admit(tokens, progress.caller.get().id());
      allow(progress.caller.get(), operation.role().get());
    }
    Map<String, Object> query = Requests.query(exchange, operation);
    Map<String, Object> body = Requests.body(exchange, operation);
    return operation.run(new Call(found.path(), query, body, progress.caller));
  }

  private static void admit(RateLimit limit, String asker) throws Problem {
    if (!limit.admits(asker)) {
      throw new Problem(Problem.TOO_MANY, "slower, please");
    }
  }

  private AccessToken caller(HttpExchange exchange) throws Problem {
    String secret =
        Requests.secret(exchange)
            .orElseThrow(
                () ->
                    new Problem(
                        Problem.UNAUTHORIZED, "a token is wanted: Authorization: Bearer TOKEN"));
    return pool.accounts()
        .check(secret)
        .orElseThrow(
            () -> new Problem(Problem.UNAUTHORIZED, "the token is unknown, over or revoked"));
  }

  private static void allow(AccessToken caller, Role least) throws Problem {
    if (!caller.role().includes(least)) {
      throw new Problem(
          Problem.FORBIDDEN,
          "this is for the role %s, the token has %s"
              .formatted(least.label(), caller.role().label()));
    }
  }

  private static Map<String, Object> line(HttpExchange exchange, Progress progress, int status) {
    return Ordered.of(
        "time",
        Instant.now().toString(),
        "address",
        exchange.getRemoteAddress().getAddress().getHostAddress(),
        "token",
        progress.caller.map(AccessToken::id).orElse(null),
        "role",
        progress.caller.map(token -> token.role().label()).orElse(null),
        "tenant",
        progress.caller.map(AccessToken::tenant).orElse(null),
        "operation",
        progress.operation.map(Operation::id).orElse(null),
        "path",
        exchange.getRequestURI().getRawPath(),
        "status",
        status);
  }

  private static void send(HttpExchange exchange, Reply reply) throws IOException {
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Type", reply.type());
    headers.set("Cache-Control", "no-store");
    headers.set("X-Content-Type-Options", "nosniff");
    switch (reply.status()) {
      case Problem.UNAUTHORIZED -> headers.set("WWW-Authenticate", "Bearer");
      case Problem.TOO_MANY -> headers.set("Retry-After", "1");
      default -> {}
    }
    if (reply.status() >= Problem.BAD_REQUEST && hasBody(exchange)) {
      // What of it was not read would be taken for the next request.
      headers.set("Connection", "close");
    }
    boolean empty = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(reply.status(), empty ? NO_BODY : reply.body().length);
    if (!empty) {
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(reply.body());
      }
    }
  }

  private static boolean hasBody(HttpExchange exchange) {
    return exchange.getRequestHeaders().containsKey("Content-Length")
        || exchange.getRequestHeaders().containsKey("Transfer-Encoding");
  }
}
