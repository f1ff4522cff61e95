// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.outboard.communicator.tls.TlsServer;
import io.outboard.pool.Pool;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The HTTP interface of a pool; starts with {@link Builder#start}, ends with {@link #close}. */
public final class ApiServer implements AutoCloseable {
  private static final int BACKLOG = 128;
  private static final int USUAL_RATE = 50;
  private static final int TELL_SECONDS = 10;

  // The JDK's server has its limits in properties, which it reads once: seconds for a request and
  // for an answer, connections, headers (module jdk.httpserver).
  private static final Map<String, String> LIMITS =
      Map.of(
          "sun.net.httpserver.maxReqTime",
          "10",
          "sun.net.httpserver.maxRspTime",
          "60",
          "jdk.httpserver.maxConnections",
          "512",
          "sun.net.httpserver.maxReqHeaders",
          "100",
          "sun.net.httpserver.maxReqHeaderSize",
          "32768");

  private final ApiAddress address;
  private final HttpServer server;
  private final ExecutorService threads;
  private final AuditLog audit;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("api-clock").factory());

  private ApiServer(ApiAddress address, HttpServer server, AuditLog audit) {
    this.address = address;
    this.server = server;
    this.audit = audit;
    this.threads = Executors.newVirtualThreadPerTaskExecutor();
    server.setExecutor(threads);
    server.start();
    var unused =
        clock.scheduleWithFixedDelay(audit::tell, TELL_SECONDS, TELL_SECONDS, TimeUnit.SECONDS);
  }

  /** What a server is to do. */
  public static final class Builder {
    private final ApiAddress address;
    private TlsServer tls;
    private int rate = USUAL_RATE;

    private Builder(ApiAddress address) {
      this.address = address;
    }

    /** Who it is, and who vouches for its clients; for https. */
    public Builder tls(TlsServer server) {
      tls = server;
      return this;
    }

    /** Requests a second that each token and each address may make on the average. */
    public Builder rate(int perSecond) {
      rate = perSecond;
      return this;
    }

    /**
     * Starts it.
     *
     * @param folder where the audit log is
     * @throws IOException if it cannot listen, or a file cannot be used; the message says why
     */
    public ApiServer start(Pool pool, Node node, Path folder) throws IOException {
      LIMITS.forEach((name, value) -> System.getProperties().putIfAbsent(name, value));
      HttpServer server = listen();
      AuditLog audit = new AuditLog(folder, InstantSource.system());
      server.createContext("/", gate(pool, node, audit));
      return new ApiServer(address, server, audit);
    }

    private HttpServer listen() throws IOException {
      InetSocketAddress socket = address.socket();
      if (!address.encrypted()) {
        return bound(HttpServer.create(), socket);
      }
      HttpsServer server = HttpsServer.create();
      server.setHttpsConfigurator(new Encryption(tls));
      return bound(server, socket);
    }

    private HttpServer bound(HttpServer server, InetSocketAddress socket) throws IOException {
      try {
        server.bind(socket, BACKLOG);
        return server;
      } catch (IOException e) {
        throw new IOException(
            "cannot listen at %s: %s; --api names another place".formatted(address, e.getMessage()),
            e);
      }
    }

    private Gate gate(Pool pool, Node node, AuditLog audit) {
      Metrics metrics = new Metrics(pool, node, audit);
      Gate.RateLimits limits =
          new Gate.RateLimits(
              new RateLimit(rate, System::nanoTime), new RateLimit(rate, System::nanoTime));
      return new Gate(
          pool, new Router(operations(pool, node, audit, metrics)), limits, audit, metrics);
    }
  }

  /** TLS as the server is to speak it. */
  private static final class Encryption extends HttpsConfigurator {
    private final TlsServer tls;

    Encryption(TlsServer tls) throws IOException {
      super(tls.context());
      this.tls = tls;
    }

    @Override
    public void configure(HttpsParameters connection) {
      connection.setSSLParameters(tls.parameters());
    }
  }

  /** All that can be asked. */
  static List<Operation> operations(Pool pool, Node node, AuditLog audit, Metrics metrics) {
    List<Operation> operations = new ArrayList<>();
    Glue glue = new Glue(pool, node, InstantSource.system());
    operations.addAll(LeaseOperations.of(pool, node.endpoints()));
    operations.addAll(NodeOperations.of(pool, node));
    operations.addAll(AccountOperations.of(pool));
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
    return address.at(server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
    clock.shutdownNow();
    try {
      audit.close();
    } catch (IOException e) {
      System.getLogger(ApiServer.class.getName())
          .log(System.Logger.Level.WARNING, "the audit log was not closed", e);
    }
  }
}
