// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.json.Ordered;
import io.outboard.api.json.Schema;
import io.outboard.lease.account.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/** The document of the interface (OpenAPI 3.1), made from its operations. */
public final class OpenApi {
  private static final String BEARER = "bearer";

  private static final int MOST_KEY = 128;

  private OpenApi() {}

  /** The document. */
  public static Map<String, Object> document(List<Operation> operations) {
    SequencedMap<String, Object> paths = new LinkedHashMap<>();
    for (Operation operation : operations) {
      Object known = paths.getOrDefault(operation.path(), Map.of());
      SequencedMap<Object, Object> item = new LinkedHashMap<>((Map<?, ?>) known);
      item.put(operation.method().toLowerCase(Locale.ROOT), operation(operation));
      paths.put(operation.path(), item);
    }
    SequencedMap<String, Object> document = new LinkedHashMap<>();
    document.put("openapi", "3.1.0");
    document.put("info", info());
    document.put("paths", paths);
    document.put("components", components());
    return document;
  }

  private static Map<String, Object> info() {
    return Ordered.of(
        "title",
        "Outboard",
        "version",
        "1",
        "description",
        "Leases of GPUs, and what was used of them. Paths that are not here are answered with 404,"
            + " other methods with 405; what is no HTTP request with 400 and no problem details."
            + " Objects may have more values in later versions.",
        "license",
        Ordered.of("name", "Apache-2.0", "identifier", "Apache-2.0"));
  }

  private static Map<String, Object> components() {
    return Ordered.of(
        "securitySchemes",
        Map.of(
            BEARER,
            Ordered.of(
                "type",
                "http",
                "scheme",
                "bearer",
                "description",
                "a token of 'outboard token create'")),
        "schemas",
        Map.of("Problem", Problem.schema().document()));
  }

  private static Map<String, Object> operation(Operation operation) {
    SequencedMap<String, Object> document = new LinkedHashMap<>();
    document.put("operationId", operation.id());
    document.put("summary", operation.summary());
    document.put("description", "Who may: " + who(operation.role()) + ".");
    document.put(
        "security", operation.role().isPresent() ? List.of(Map.of(BEARER, List.of())) : List.of());
    List<Object> parameters = parameters(operation);
    if (!parameters.isEmpty()) {
      document.put("parameters", parameters);
    }
    operation
        .body()
        .ifPresent(
            body ->
                document.put(
                    "requestBody",
                    Ordered.of("required", true, "content", content(Reply.JSON, body.document()))));
    document.put("responses", responses(operation));
    return document;
  }

  private static String who(Optional<Role> role) {
    return role.map(Role::label).orElse("everybody, without a token");
  }

  private static List<Object> parameters(Operation operation) {
    List<Object> parameters = new ArrayList<>();
    for (String place : operation.places()) {
      parameters.add(
          Ordered.of(
              "name", place, "in", "path", "required", true, "schema", Schema.text().document()));
    }
    operation
        .query()
        .forEach(
            (name, parameter) ->
                parameters.add(
                    Ordered.of(
                        "name",
                        name,
                        "in",
                        "query",
                        "required",
                        false,
                        "description",
                        parameter.description(),
                        "schema",
                        parameter.schema().document())));
    if (operation.takesKey()) {
      parameters.add(
          Ordered.of(
              "name",
              KeyedAnswers.HEADER,
              "in",
              "header",
              "required",
              false,
              "description",
              "of the caller's choice: the request is done once, and has the same answer for a day;"
                  + " another one with the key is refused with 422, one that is under way with 409",
              "schema",
              Schema.text(MOST_KEY).document()));
    }
    return parameters;
  }

  private static Map<String, Object> responses(Operation operation) {
    SequencedMap<String, Object> responses = new LinkedHashMap<>();
    responses.put(
        Integer.toString(operation.status()),
        Ordered.of(
            "description",
            "it is done",
            "content",
            content(operation.type(), operation.answer().document())));
    for (int status : operation.problems()) {
      responses.put(
          Integer.toString(status),
          Ordered.of(
              "description",
              Problem.title(status),
              "content",
              content(Problem.TYPE, Map.of("$ref", "#/components/schemas/Problem"))));
    }
    return responses;
  }

  private static Map<String, Object> content(String type, Map<String, Object> schema) {
    return Map.of(type, Map.of("schema", schema));
  }
}
