// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.http.Request;
import io.outboard.api.json.Json;
import io.outboard.api.json.Schema;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads what a request brings, as its operation wants it. */
public final class Requests {
  private static final String SCHEME = "bearer ";

  private Requests() {}

  /** The secret of the token in the header (RFC 6750, 2.1). */
  public static Optional<String> secret(Request request) {
    String header = request.headers().get("authorization");
    return Optional.ofNullable(header)
        .filter(text -> text.toLowerCase(Locale.ROOT).startsWith(SCHEME))
        .map(text -> text.substring(SCHEME.length()).strip());
  }

  /** The values behind the path. */
  public static Map<String, Object> query(Request request, Operation operation) throws Problem {
    Map<String, Object> values = new HashMap<>();
    String query = request.query();
    for (String part : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      int middle = part.indexOf('=');
      String name = decoded(middle < 0 ? part : part.substring(0, middle));
      String text = decoded(middle < 0 ? "" : part.substring(middle + 1));
      if (values.put(name, value(operation, name, text)) != null) {
        throw new Problem(Problem.BAD_REQUEST, "the query has a name twice");
      }
    }
    return values;
  }

  private static String decoded(String text) throws Problem {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      throw new Problem(Problem.BAD_REQUEST, "the query has a wrong escape");
    }
  }

  private static Object value(Operation operation, String name, String text) throws Problem {
    Operation.Parameter parameter = operation.query().get(name);
    if (parameter == null) {
      throw new Problem(Problem.BAD_REQUEST, "this takes no '" + name + "' in the query");
    }
    try {
      Object value = parameter.schema().parse(text);
      check(parameter.schema(), name, value);
      return value;
    } catch (IllegalArgumentException e) {
      throw new Problem(Problem.BAD_REQUEST, "'%s' has no such value".formatted(name));
    }
  }

  private static void check(Schema schema, String where, Object value) throws Problem {
    List<String> wrong = new ArrayList<>();
    schema.check(where, value, wrong::add);
    if (!wrong.isEmpty()) {
      throw new Problem(Problem.BAD_REQUEST, String.join("; ", wrong));
    }
  }

  /** The values in the body. */
  @SuppressWarnings("unchecked") // The schema is of an object.
  public static Map<String, Object> body(Request request, Operation operation) throws Problem {
    if (operation.body().isEmpty()) {
      return Map.of();
    }
    byte[] bytes = bytes(request);
    String type = request.headers().get("content-type");
    if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase(Reply.JSON)) {
      throw new Problem(Problem.WRONG_TYPE, "the body is " + Reply.JSON);
    }
    try {
      Object body = Json.read(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
      check(operation.body().get(), "the body", body);
      return (Map<String, Object>) body;
    } catch (IllegalArgumentException e) {
      throw new Problem(Problem.BAD_REQUEST, "the body is no JSON: " + e.getMessage());
    } catch (CharacterCodingException e) {
      throw new Problem(Problem.BAD_REQUEST, "the body is no UTF-8");
    }
  }

  private static byte[] bytes(Request request) throws Problem {
    if (request.isTooLarge()) {
      throw new Problem(Problem.TOO_LARGE, "a body has at most " + request.most() + " bytes");
    }
    return request.body();
  }
}
