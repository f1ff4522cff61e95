// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.json.Json;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * An answer.
 *
 * @param type the media type
 * @param body all of it; empty where it is a stream
 * @param headers more of them, by their names
 * @param stream writes a body whose length nobody knows yet; none where there is such a length
 */
public record Reply(
    int status, String type, byte[] body, Map<String, String> headers, Optional<Stream> stream) {
  public static final int OK = 200;
  public static final int CREATED = 201;
  public static final int MOVED = 308;
  public static final String JSON = "application/json";

  /** The media type of server-sent events. */
  public static final String EVENTS = "text/event-stream";

  /** A body that comes in parts. */
  @FunctionalInterface
  public interface Stream {
    /** Writes all of it, until it is over or the client has gone. */
    void write(Sink to) throws IOException;
  }

  /** Takes parts of a body. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Sends a part at once.
     *
     * @throws IOException if the client has gone, or has not taken it in time
     */
    void send(String part) throws IOException;
  }

  /** Copies the headers. */
  public Reply {
    headers = Map.copyOf(headers);
  }

  private Reply(int status, String type, byte[] body) {
    this(status, type, body, Map.of(), Optional.empty());
  }

  public static Reply of(int status, String type, String body) {
    return new Reply(status, type, body.getBytes(UTF_8));
  }

  /** JSON. */
  public static Reply of(int status, Object body) {
    return of(status, JSON, Json.write(body));
  }

  /** JSON, of what was asked for. */
  public static Reply of(Object body) {
    return of(OK, body);
  }

  /** A body that comes in parts. */
  public static Reply of(String type, Stream stream) {
    return new Reply(OK, type, new byte[0], Map.of(), Optional.of(stream));
  }

  /** The same with other headers. */
  public Reply with(Map<String, String> more) {
    return new Reply(status, type, body, more, stream);
  }
}
