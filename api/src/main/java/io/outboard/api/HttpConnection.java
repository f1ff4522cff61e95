// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.http.Door;
import io.outboard.api.http.HttpHandler;
import io.outboard.api.http.HttpInput;
import io.outboard.api.http.Origin;
import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.http.Request;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Answers the requests of a connection, one after the other, each in a bounded time. */
final class HttpConnection {
  /** For how long a request may take to come; of the first one also the TLS handshake. */
  static final Duration REQUEST = Duration.ofSeconds(10);

  private static final System.Logger LOG = System.getLogger(HttpConnection.class.getName());
  // For a client that has its answer, and for one that takes it.
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  // After its answer a client's last bytes are read for so long: closing earlier could lose the
  // answer.
  private static final Duration FAREWELL = Duration.ofSeconds(2);
  private static final int MOST_FAREWELL = 1 << 20;
  // Most answers are smaller.
  private static final int ANSWER_BYTES = 8 << 10;
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);
  private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

  private final Door.Visitor visitor;
  private final Socket socket;
  private final HttpHandler handler;
  private final HttpInput in;
  private final InputStream stream;
  private final OutputStream out;

  /**
   * Makes one.
   *
   * @param socket that of the visitor, or one with TLS around it
   */
  HttpConnection(Door.Visitor visitor, Socket socket, HttpHandler handler) throws IOException {
    this.visitor = visitor;
    this.socket = socket;
    this.handler = handler;
    this.stream = new BufferedInputStream(socket.getInputStream());
    this.in = new HttpInput(stream);
    // An answer leaves in one piece: its body would wait until the client has seen its head.
    this.out = new BufferedOutputStream(socket.getOutputStream(), ANSWER_BYTES);
  }

  /** Answers until one side has enough. */
  void serve() throws IOException {
    boolean goesOn = true;
    while (goesOn && in.hasNext()) {
      visitor.waits(REQUEST);
      goesOn = answerNext();
      visitor.waits(goesOn ? IDLE : FAREWELL);
    }
    if (!goesOn) {
      socket.shutdownOutput();
      stream.skipNBytes(MOST_FAREWELL);
    }
  }

  private boolean answerNext() throws IOException {
    try {
      Request request = read();
      Reply reply = answer(request);
      boolean last = request.isLast() || reply.stream().isPresent();
      send(request.method(), reply, last);
      return !last;
    } catch (Problem e) {
      LOG.log(System.Logger.Level.DEBUG, "a request is none", e);
      send("", e.reply(), true);
      return false;
    }
  }

  /** Once the first byte has come, a handshake is over. */
  private Request read() throws IOException, Problem {
    Origin origin = Origin.of(visitor.address(), socket);
    Optional<String> known = handler.known(origin);
    known.ifPresent(visitor::isKnown);
    int most = known.isPresent() ? Request.MOST_OF_NODE : handler.mostBytes();
    return Request.read(in, origin, most, this::invite);
  }

  private void invite() throws IOException {
    out.write(CONTINUE.getBytes(ISO_8859_1));
    out.flush();
  }

  /** Health is asked for whatever else is at work. */
  private Reply answer(Request request) {
    return visitor.works() || handler.isHealth(request)
        ? handler.handle(request)
        : handler.tooBusy();
  }

  private void send(String method, Reply reply, boolean last) throws IOException {
    visitor.waits(ANSWER);
    StringBuilder head = new StringBuilder();
    line(head, "HTTP/1.1 " + reply.status() + " " + Problem.title(reply.status()));
    line(head, "Date: " + DATE.format(InstantSource.system().instant().atOffset(ZoneOffset.UTC)));
    line(head, "Content-Type: " + reply.type());
    if (reply.stream().isEmpty()) {
      line(head, "Content-Length: " + reply.body().length);
    }
    reply.headers().forEach((name, value) -> line(head, name + ": " + value));
    line(head, "Cache-Control: no-store");
    line(head, "X-Content-Type-Options: nosniff");
    switch (reply.status()) {
      case Problem.UNAUTHORIZED -> line(head, "WWW-Authenticate: Bearer");
      case Problem.TOO_MANY -> line(head, "Retry-After: 1");
      default -> {}
    }
    if (last) {
      line(head, "Connection: close");
    }
    line(head, "");
    out.write(head.toString().getBytes(ISO_8859_1));
    if (!method.equals("HEAD")) {
      out.write(reply.body());
    }
    out.flush();
    if (reply.stream().isPresent()) {
      reply.stream().get().write(this::sendPart);
    }
  }

  /** The end of the connection is that of the body, so it may have any length. */
  private void sendPart(String part) throws IOException {
    visitor.waits(ANSWER);
    out.write(part.getBytes(UTF_8));
    out.flush();
  }

  private static void line(StringBuilder head, String line) {
    head.append(line).append("\r\n");
  }
}
