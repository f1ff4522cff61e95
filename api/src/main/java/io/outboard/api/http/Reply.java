// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.json.Json;

/**
 * An answer.
 *
 * @param type the media type
 */
public record Reply(int status, String type, byte[] body) {
  public static final int OK = 200;
  public static final int CREATED = 201;
  public static final String JSON = "application/json";

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
}
