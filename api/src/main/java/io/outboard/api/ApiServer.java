// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import io.outboard.api.audit.AuditLog;
import io.outboard.api.http.Door;
import io.outboard.api.http.RateLimit;
import io.outboard.api.monitoring.Glue;
import io.outboard.api.monitoring.Metrics;
import io.outboard.api.monitoring.Node;
import io.outboard.api.operation.AccountOperations;
import io.outboard.api.operation.LeaseOperations;
import io.outboard.api.operation.MemberOperations;
import io.outboard.api.operation.NodeOperations;
import io.outboard.api.operation.OpenApi;
import io.outboard.api.operation.Operation;
import io.outboard.api.operation.Router;
import io.outboard.api.operation.SystemOperations;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.pool.Pool;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** The HTTP interface of a pool; starts with {@link Builder#start}, ends with {@link #close}. */
public final class ApiServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ApiServer.class.getName());
  private static final int BACKLOG = 512;
  private static final int USUAL_RATE = 50;
  private static final int TELL_SECONDS = 10;
  private static final int LATE_MILLIS = 250;

  private final ApiAddress address;
  private final Door door;
  private final AuditLog audit;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("api-clock").factory());

  private ApiServer(ApiAddress address, Door door, AuditLog audit) {
    this.address = address;
    this.door = door;
    this.audit = audit;
    every(TELL_SECONDS, TimeUnit.SECONDS, audit::tell);
    every(LATE_MILLIS, TimeUnit.MILLISECONDS, door::dropLate);
  }

  private void every(int time, TimeUnit unit, Runnable work) {
    var unused = clock.scheduleWithFixedDelay(work, time, time, unit);
  }

  /** Settings of a server, and their defaults. */
  public static final class Builder {
    private final ApiAddress address;
    private TlsServer tls;
    private int rate = USUAL_RATE;

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

    /**
     * Starts it.
     *
     * @param folder where the audit log is
     * @throws IOException if it cannot listen, or a file cannot be used; the message says why
     */
    public ApiServer start(Pool pool, Node node, Path folder) throws IOException {
      ServerSocket listener = listen();
      try {
        AuditLog audit = new AuditLog(folder, InstantSource.system());
        Host host = new Host(pipeline(pool, node, audit), encryption());
        return new ApiServer(
            address,
            new Door(listener, HttpConnection.REQUEST, System::nanoTime, host::serve),
            audit);
      } catch (IOException e) {
        listener.close();
        throw e;
      }
    }

    private ServerSocket listen() throws IOException {
      InetSocketAddress socket = address.socket();
      try {
        return new ServerSocket(socket.getPort(), BACKLOG, socket.getAddress());
      } catch (IOException e) {
        throw new IOException(
            "cannot listen at %s: %s; --api names another place".formatted(address, e.getMessage()),
            e);
      }
    }

    private Optional<Encryption> encryption() throws IOException {
      return address.encrypted()
          ? Optional.of(new Encryption(tls.context().getSocketFactory(), tls.parameters()))
          : Optional.empty();
    }

    private RequestPipeline pipeline(Pool pool, Node node, AuditLog audit) {
      Metrics metrics = new Metrics(pool, node, audit);
      RequestPipeline.RateLimits limits =
          new RequestPipeline.RateLimits(
              new RateLimit(rate, System::nanoTime), new RateLimit(rate, System::nanoTime));
      return new RequestPipeline(
          pool, new Router(operations(pool, node, audit, metrics)), limits, audit, metrics);
    }
  }

  /** TLS as the server is to speak it. */
  private record Encryption(SSLSocketFactory sockets, SSLParameters parameters) {
    Socket around(Socket socket) throws IOException {
      SSLSocket encrypted = (SSLSocket) sockets.createSocket(socket, null, true);
      encrypted.setSSLParameters(parameters);
      return encrypted;
    }
  }

  /** Serves connections. */
  private record Host(RequestPipeline pipeline, Optional<Encryption> encryption) {
    void serve(Door.Visitor visitor) {
      try {
        Socket socket = visitor.socket();
        Socket spoken = encryption.isPresent() ? encryption.get().around(socket) : socket;
        new HttpConnection(visitor, spoken, pipeline).serve();
      } catch (IOException e) {
        LOG.log(System.Logger.Level.DEBUG, "a connection ended", e);
      }
    }
  }

  /** All that can be asked. */
  static List<Operation> operations(Pool pool, Node node, AuditLog audit, Metrics metrics) {
    List<Operation> operations = new ArrayList<>();
    Glue glue = new Glue(pool, node, InstantSource.system());
    operations.addAll(LeaseOperations.of(pool, node.endpoints()));
    operations.addAll(NodeOperations.of(pool, node));
    operations.addAll(AccountOperations.of(pool));
    operations.addAll(MemberOperations.of(pool));
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
    return address.at(door.address().getPort());
  }

  @Override
  public void close() {
    door.close();
    clock.shutdownNow();
    try {
      audit.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "the audit log was not closed", e);
    }
  }
}
