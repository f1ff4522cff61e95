// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.http;

import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.api.json.Schema;
import java.util.Map;

/** A request is not done; told as RFC 9457 has it. */
public final class Problem extends Exception {
  private static final long serialVersionUID = 1L;

  /** The media type (RFC 9457, 3). */
  public static final String TYPE = "application/problem+json";

  public static final int BAD_REQUEST = 400;
  public static final int UNAUTHORIZED = 401;
  public static final int FORBIDDEN = 403;
  public static final int NOT_FOUND = 404;
  public static final int METHOD_NOT_ALLOWED = 405;
  public static final int CONFLICT = 409;
  public static final int TOO_LARGE = 413;
  public static final int WRONG_TYPE = 415;
  public static final int MISDIRECTED = 421;
  public static final int IMPOSSIBLE = 422;
  public static final int TOO_MANY = 429;
  public static final int MISTAKE = 500;
  public static final int UNAVAILABLE = 503;

  /** Their names, and those of what is no problem (RFC 9110, 15; RFC 6585, 4). */
  private static final Map<Integer, String> TITLES =
      Map.ofEntries(
          Map.entry(Reply.OK, "OK"),
          Map.entry(Reply.CREATED, "Created"),
          Map.entry(Reply.MOVED, "Permanent Redirect"),
          Map.entry(BAD_REQUEST, "Bad Request"),
          Map.entry(UNAUTHORIZED, "Unauthorized"),
          Map.entry(FORBIDDEN, "Forbidden"),
          Map.entry(NOT_FOUND, "Not Found"),
          Map.entry(METHOD_NOT_ALLOWED, "Method Not Allowed"),
          Map.entry(CONFLICT, "Conflict"),
          Map.entry(TOO_LARGE, "Content Too Large"),
          Map.entry(WRONG_TYPE, "Unsupported Media Type"),
          Map.entry(MISDIRECTED, "Misdirected Request"),
          Map.entry(IMPOSSIBLE, "Unprocessable Content"),
          Map.entry(TOO_MANY, "Too Many Requests"),
          Map.entry(MISTAKE, "Internal Server Error"),
          Map.entry(UNAVAILABLE, "Service Unavailable"));

  private final int status;

  public Problem(int status, String detail) {
    super(detail);
    this.status = status;
  }

  int status() {
    return status;
  }

  public static String title(int status) {
    return TITLES.get(status);
  }

  public Reply reply() {
    Map<String, Object> body =
        Ordered.of(
            "type",
            "about:blank",
            "title",
            title(status),
            "status",
            status,
            "detail",
            getMessage());
    return Reply.of(status, TYPE, Json.write(body));
  }

  /** The schema of this problem in the document. */
  public static Schema.Fields schema() {
    return new Schema.Fields()
        .with("type", Schema.text(), "about:blank: the status says what it is")
        .with("title", Schema.text(), "the status in words")
        .with("status", new Schema.Whole(BAD_REQUEST, 599), "the status")
        .with("detail", Schema.text(), "what is wrong, for people");
  }
}
