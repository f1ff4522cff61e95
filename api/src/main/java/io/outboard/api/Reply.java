// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What is answered.
 *
 * @param type the media type
 */
record Reply(int status, String type, byte[] body) {
  static final int OK = 200;
  static final int CREATED = 201;
  static final String JSON = "application/json";

  static Reply of(int status, String type, String body) {
    return new Reply(status, type, body.getBytes(UTF_8));
  }

  /** JSON. */
  static Reply of(int status, Object body) {
    return of(status, JSON, Json.write(body));
  }

  /** JSON, of what was asked for. */
  static Reply of(Object body) {
    return of(OK, body);
  }
}
