// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import io.outboard.api.audit.AuditLog;
import io.outboard.api.console.ConsoleFiles;
import io.outboard.api.console.OwnHosts;
import io.outboard.api.http.AddressBlock;
import io.outboard.api.http.HttpHandler;
import io.outboard.api.http.Origin;
import io.outboard.api.http.Problem;
import io.outboard.api.http.RateLimit;
import io.outboard.api.http.Reply;
import io.outboard.api.http.Request;
import io.outboard.api.json.Ordered;
import io.outboard.api.monitoring.Metrics;
import io.outboard.api.operation.Call;
import io.outboard.api.operation.KeyedAnswers;
import io.outboard.api.operation.Operation;
import io.outboard.api.operation.Requests;
import io.outboard.api.operation.Router;
import io.outboard.lease.LeaseException;
import io.outboard.lease.account.AccessToken;
import io.outboard.lease.account.Caller;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.lease.store.StoreException;
import io.outboard.pool.Pool;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Handles each request: identifies the caller, checks rights and values, has the operation done,
 * answers, and writes the audit log.
 */
public final class RequestPipeline implements HttpHandler {
  private static final System.Logger LOG = System.getLogger(RequestPipeline.class.getName());
  private static final Set<String> HEALTH = Set.of("/healthz", "/readyz");

  private final Pool pool;
  private final Identities identities;
  private final Router router;
  private final RateLimit addresses;
  private final RateLimit tokens;
  private final AuditLog audit;
  private final Metrics metrics;
  private final OwnHosts hosts;
  private final ConsoleFiles console;
  private final KeyedAnswers keyed = new KeyedAnswers();

  RequestPipeline(
      Pool pool,
      Identities identities,
      Router router,
      RateLimits limits,
      AuditLog audit,
      Metrics metrics,
      OwnHosts hosts) {
    this.pool = pool;
    this.identities = identities;
    this.router = router;
    this.addresses = limits.addresses();
    this.tokens = limits.tokens();
    this.audit = audit;
    this.metrics = metrics;
    this.hosts = hosts;
    this.console = new ConsoleFiles(hosts);
  }

  /** Those of addresses and of tokens. */
  record RateLimits(RateLimit addresses, RateLimit tokens) {}

  /** Facts about a request for the log, collected while it is handled. */
  private static final class Progress {
    private Optional<Operation> operation = Optional.empty();
    private Optional<Caller> caller = Optional.empty();
    private boolean repeated;

    /** After a mistake of ours it may have been changed. */
    private boolean hasChanged(int status) {
      return changes() && !repeated && (status < Problem.BAD_REQUEST || status == Problem.MISTAKE);
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
      return caller.filter(one -> one.standing().role() == Role.OPERATOR).isPresent();
    }
  }

  /** The node of the pool that is at the other end, if it has proven that it is one. */
  @Override
  public Optional<String> known(Origin origin) {
    return origin.certificate().flatMap(pool::member);
  }

  /** Has a request done; returns what is answered. */
  @Override
  public Reply handle(Request request) {
    Progress progress = new Progress();
    Reply reply = reply(request, progress);
    metrics.answered(reply.status());
    writeDown(request, progress, reply.status());
    return reply;
  }

  /** The answer to a request that is not read, because too many others are at work. */
  @Override
  public Reply tooBusy() {
    metrics.answered(Problem.UNAVAILABLE);
    return new Problem(Problem.UNAVAILABLE, "too many requests are at work").reply();
  }

  /** Whether it asks for the state of the server. */
  @Override
  public boolean isHealth(Request request) {
    return HEALTH.contains(request.path());
  }

  private void writeDown(Request request, Progress progress, int status) {
    if (progress.hasChanged(status)) {
      audit.changed(progress.isOperators(), line(request, progress, status));
    } else if (progress.isRefused(status)) {
      audit.refused(block(request), line(request, progress, status));
    }
  }

  private static AddressBlock block(Request request) {
    return AddressBlock.of(request.address());
  }

  private Reply reply(Request request, Progress progress) {
    return told(() -> run(request, progress));
  }

  /** Work that may fail. */
  @FunctionalInterface
  private interface Answering {
    Reply answer() throws Problem, LeaseException;
  }

  /** The answer of work, also where that fails. */
  private static Reply told(Answering work) {
    try {
      return work.answer();
    } catch (Problem e) {
      return e.reply();
    } catch (IllegalArgumentException e) {
      // The schema permits it, but the pool does not.
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

  private Reply run(Request request, Progress progress) throws Problem, LeaseException {
    // A flood of other requests of the same address leaves questions after health to be answered.
    admit(addresses, (isHealth(request) ? "health " : "") + block(request).text());
    Optional<Reply> file = console.answer(request);
    if (file.isPresent()) {
      return file.get();
    }
    hosts.checkOrigin(request);
    Router.Found found = router.find(request.method(), request.path());
    Operation operation = found.operation();
    progress.operation = Optional.of(operation);
    if (operation.role().isPresent()) {
      progress.caller = Optional.of(caller(request));
      admit(tokens, progress.caller.get().id());
      allow(progress.caller.get(), operation.role().get());
    }
    Map<String, Object> query = Requests.query(request, operation);
    Map<String, Object> body = Requests.body(request, operation);
    String secret = operation.wantsSecret() ? Requests.secret(request).orElse("") : "";
    Call call = new Call(found.path(), query, body, progress.caller, secret, request.origin());
    Optional<String> key = operation.takesKey() ? KeyedAnswers.key(request) : Optional.empty();
    return key.isEmpty() ? operation.run(call) : once(key.get(), request, progress, call);
  }

  private Reply once(String key, Request request, Progress progress, Call call) throws Problem {
    Operation operation = progress.operation.orElseThrow();
    KeyedAnswers.Answer answer =
        keyed.of(
            call.caller().orElseThrow().id(), key, request, () -> told(() -> operation.run(call)));
    progress.repeated = answer.repeated();
    return answer.reply();
  }

  private static void admit(RateLimit limit, String asker) throws Problem {
    if (!limit.admits(asker)) {
      throw new Problem(Problem.TOO_MANY, "slower, please");
    }
  }

  private static String secret(Request request) throws Problem {
    return Requests.secret(request)
        .orElseThrow(
            () ->
                new Problem(
                    Problem.UNAUTHORIZED, "a token is wanted: Authorization: Bearer TOKEN"));
  }

  private Caller caller(Request request) throws Problem {
    return find(secret(request))
        .orElseThrow(
            () -> new Problem(Problem.UNAUTHORIZED, "the token is unknown, over or revoked"));
  }

  private Optional<Caller> find(String secret) throws Problem {
    Optional<Caller> own = pool.accounts().check(secret).map(AccessToken::caller);
    if (own.isPresent() || pool.accounts().isKnown(secret)) {
      return own;
    }
    try {
      return identities.find(secret);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "nobody can be let in: " + e.getMessage());
      throw new Problem(Problem.UNAVAILABLE, "the identity provider does not answer");
    }
  }

  private static void allow(Caller caller, Role least) throws Problem {
    Role role = caller.standing().role();
    if (!role.includes(least)) {
      throw new Problem(
          Problem.FORBIDDEN,
          "this is for the role %s, the token has %s".formatted(least.label(), role.label()));
    }
  }

  private static Map<String, Object> line(Request request, Progress progress, int status) {
    Optional<Standing> standing = progress.caller.map(Caller::standing);
    return Ordered.of(
        "time",
        Instant.now().toString(),
        "address",
        request.address().getHostAddress(),
        "token",
        progress.caller.map(Caller::id).orElse(null),
        "role",
        standing.map(one -> one.role().label()).orElse(null),
        "tenant",
        standing.map(Standing::tenant).orElse(null),
        "operation",
        progress.operation.map(Operation::id).orElse(null),
        "path",
        request.path(),
        "status",
        status);
  }
}
