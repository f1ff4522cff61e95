// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import io.outboard.api.http.Door;
import io.outboard.api.http.HttpHandler;
import io.outboard.communicator.certificate.TlsServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** HTTP/1.1 behind a {@link Door}, with TLS where the address says so; ends with {@link #close}. */
public final class HttpServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HttpServer.class.getName());
  private static final int BACKLOG = 512;
  private static final int LATE_MILLIS = 250;

  private final ApiAddress address;
  private final Door door;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("api-late").factory());

  private HttpServer(ApiAddress address, Door door) {
    this.address = address;
    this.door = door;
    var unused =
        clock.scheduleWithFixedDelay(
            door::dropLate, LATE_MILLIS, LATE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * Starts one.
   *
   * @param tls the server's certificate, and the authorities that vouch for its clients; for https
   * @throws IOException if it cannot listen, or the certificate cannot be used; the message says
   *     why
   */
  public static HttpServer start(ApiAddress address, Optional<TlsServer> tls, HttpHandler handler)
      throws IOException {
    ServerSocket listener = listen(address);
    try {
      Host host = new Host(handler, encryption(address, tls));
      return new HttpServer(
          address, new Door(listener, HttpConnection.REQUEST, System::nanoTime, host::serve));
    } catch (IOException e) {
      listener.close();
      throw e;
    }
  }

  private static ServerSocket listen(ApiAddress address) throws IOException {
    var socket = address.socket();
    try {
      return new ServerSocket(socket.getPort(), BACKLOG, socket.getAddress());
    } catch (IOException e) {
      throw new IOException(
          "cannot listen at %s: %s; --api names another place".formatted(address, e.getMessage()),
          e);
    }
  }

  private static Optional<Encryption> encryption(ApiAddress address, Optional<TlsServer> tls)
      throws IOException {
    if (!address.encrypted()) {
      return Optional.empty();
    }
    TlsServer server = tls.orElseThrow(() -> new IOException(address + " wants a certificate"));
    return Optional.of(new Encryption(server.context().getSocketFactory(), server.parameters()));
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
  private record Host(HttpHandler handler, Optional<Encryption> encryption) {
    void serve(Door.Visitor visitor) {
      try {
        Socket socket = visitor.socket();
        Socket spoken = encryption.isPresent() ? encryption.get().around(socket) : socket;
        new HttpConnection(visitor, spoken, handler).serve();
      } catch (IOException e) {
        LOG.log(System.Logger.Level.DEBUG, "a connection ended", e);
      }
    }
  }

  /** Where it listens. */
  public URI uri() {
    return address.at(door.address().getPort());
  }

  @Override
  public void close() {
    door.close();
    clock.shutdownNow();
  }
}
