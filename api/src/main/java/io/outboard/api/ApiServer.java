// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import io.outboard.api.audit.AuditLog;
import io.outboard.api.console.LiveStreams;
import io.outboard.api.console.OwnHosts;
import io.outboard.api.console.Samples;
import io.outboard.api.console.Tables;
import io.outboard.api.http.RateLimit;
import io.outboard.api.monitoring.Glue;
import io.outboard.api.monitoring.Metrics;
import io.outboard.api.monitoring.Node;
import io.outboard.api.operation.AccountOperations;
import io.outboard.api.operation.ConsoleOperations;
import io.outboard.api.operation.IdentityOperations;
import io.outboard.api.operation.LeaseOperations;
import io.outboard.api.operation.MemberOperations;
import io.outboard.api.operation.NodeOperations;
import io.outboard.api.operation.OpenApi;
import io.outboard.api.operation.Operation;
import io.outboard.api.operation.Router;
import io.outboard.api.operation.SignIns;
import io.outboard.api.operation.SystemOperations;
import io.outboard.api.telemetry.Collector;
import io.outboard.api.telemetry.Telemetry;
import io.outboard.api.usage.UsageSeries;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.pool.Pool;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The HTTP interface of a pool; starts with {@link Builder#start}, ends with {@link #close}. */
public final class ApiServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ApiServer.class.getName());
  private static final int USUAL_RATE = 50;
  private static final int TELL_SECONDS = 10;

  private final HttpServer server;
  private final AuditLog audit;
  private final Optional<Telemetry> telemetry;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("api-clock").factory());

  private ApiServer(
      HttpServer server, AuditLog audit, Samples samples, Optional<Telemetry> telemetry) {
    this.server = server;
    this.audit = audit;
    this.telemetry = telemetry;
    long every = Samples.EVERY.toMillis();
    var unusedLooks =
        clock.scheduleWithFixedDelay(samples::sample, every, every, TimeUnit.MILLISECONDS);
    var unused =
        clock.scheduleWithFixedDelay(audit::tell, TELL_SECONDS, TELL_SECONDS, TimeUnit.SECONDS);
  }

  /** Settings of a server, and their defaults. */
  public static final class Builder {
    private final ApiAddress address;
    private TlsServer tls;
    private int rate = USUAL_RATE;
    private Identities identities = Identities.NONE;
    private List<String> names = List.of();
    private SignIns signIns = SignIns.NONE;
    private Optional<Collector> collector = Optional.empty();
    private Duration figures = Duration.ofMinutes(1);

    private Builder(ApiAddress address) {
      this.address = address;
    }

    /** The server's certificate, and the authorities that vouch for its clients; for https. */
    public Builder tls(TlsServer server) {
      tls = server;
      return this;
    }

    /** Requests a second that each token and each address may make on the average. */
    public Builder rate(int perSecond) {
      rate = perSecond;
      return this;
    }

    /** Lets in these beside holders of the office's own tokens. */
    public Builder identities(Identities others) {
      identities = others;
      return this;
    }

    /** Where people sign in with a browser. */
    public Builder signIns(SignIns providers) {
      signIns = providers;
      return this;
    }

    /** Names by which browsers may reach it, beside that of its address. */
    public Builder names(List<String> more) {
      names = List.copyOf(more);
      return this;
    }

    /** Sends a collector of OpenTelemetry figures and traces. */
    public Builder collector(Collector to) {
      collector = Optional.of(to);
      return this;
    }

    /** How often figures are sent; by default each minute. */
    Builder figuresEach(Duration time) {
      figures = time;
      return this;
    }

    /**
     * Starts it.
     *
     * @param folder where the audit log is
     * @throws IOException if it cannot listen, or a file cannot be used; the message says why
     */
    public ApiServer start(Pool pool, Node node, Path folder) throws IOException {
      AuditLog audit = new AuditLog(folder, InstantSource.system());
      try {
        Samples samples = new Samples(pool, InstantSource.system());
        Metrics metrics = new Metrics(pool, node, audit, samples);
        HttpServer server =
            HttpServer.start(
                address, Optional.ofNullable(tls), pipeline(pool, node, audit, samples, metrics));
        return new ApiServer(server, audit, samples, telemetry(pool, node, metrics));
      } catch (IOException e) {
        audit.close();
        throw e;
      }
    }

    private Optional<Telemetry> telemetry(Pool pool, Node node, Metrics metrics) {
      Optional<Telemetry> telemetry =
          collector.map(to -> Telemetry.start(to, node, metrics, figures));
      telemetry.ifPresent(to -> pool.onSessionEnd(to::ended));
      return telemetry;
    }

    private RequestPipeline pipeline(
        Pool pool, Node node, AuditLog audit, Samples samples, Metrics metrics) {
      RequestPipeline.RateLimits limits =
          new RequestPipeline.RateLimits(
              new RateLimit(rate, System::nanoTime), new RateLimit(rate, System::nanoTime));
      return new RequestPipeline(
          pool,
          identities,
          new Router(operations(pool, signIns, node, audit, metrics, samples)),
          limits,
          audit,
          metrics,
          hosts(node));
    }

    private OwnHosts hosts(Node node) {
      List<String> all = new ArrayList<>(names);
      all.add(address.uri().getHost());
      all.add(node.name());
      return new OwnHosts(all);
    }
  }

  /** All that can be asked. */
  static List<Operation> operations(
      Pool pool, SignIns signIns, Node node, AuditLog audit, Metrics metrics, Samples samples) {
    List<Operation> operations = new ArrayList<>();
    Glue glue = new Glue(pool, node, InstantSource.system());
    operations.addAll(LeaseOperations.of(pool, node.endpoints()));
    operations.addAll(NodeOperations.of(pool, node));
    operations.addAll(AccountOperations.of(pool));
    operations.addAll(IdentityOperations.of(pool, signIns));
    operations.addAll(MemberOperations.of(pool));
    operations.addAll(
        ConsoleOperations.of(
            new Tables(pool, samples),
            new UsageSeries(pool),
            audit,
            new LiveStreams(),
            InstantSource.system()));
    operations.addAll(
        SystemOperations.of(pool, audit, metrics, glue, () -> OpenApi.document(operations)));
    return operations;
  }

  /** A server that is to listen there. */
  public static Builder at(ApiAddress address) {
    return new Builder(address);
  }

  /** Where it listens. */
  public URI uri() {
    return server.uri();
  }

  @Override
  public void close() {
    server.close();
    clock.shutdownNow();
    telemetry.ifPresent(Telemetry::close);
    try {
      audit.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "the audit log was not closed", e);
    }
  }
}
