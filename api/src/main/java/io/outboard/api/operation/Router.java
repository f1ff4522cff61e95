// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.http.Problem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the operation of a request. */
public final class Router {
  private final List<Operation> operations;

  /** An operation that matches a request, and the values in its path. */
  public record Found(Operation operation, Map<String, String> path) {}

  public Router(List<Operation> operations) {
    this.operations = List.copyOf(operations);
  }

  /**
   * Finds it.
   *
   * @param path as it was sent, without a query; a part with an escape is none of ours
   */
  public Found find(String method, String path) throws Problem {
    List<Found> found =
        operations.stream()
            .flatMap(one -> values(one.path(), path).map(values -> new Found(one, values)).stream())
            .toList();
    if (found.isEmpty()) {
      throw new Problem(Problem.NOT_FOUND, "there is nothing at this path");
    }
    return found.stream()
        .filter(one -> one.operation().method().equals(method))
        .findFirst()
        .orElseThrow(
            () -> new Problem(Problem.METHOD_NOT_ALLOWED, "here is only " + methods(found)));
  }

  private static String methods(List<Found> found) {
    return found.stream()
        .map(one -> one.operation().method())
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static Optional<Map<String, String>> values(String template, String path) {
    String[] wanted = template.split("/", -1);
    String[] given = path.split("/", -1);
    if (wanted.length != given.length) {
      return Optional.empty();
    }
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].startsWith("{") && !given[i].isEmpty()) {
        values.put(wanted[i].substring(1, wanted[i].length() - 1), given[i]);
      } else if (!wanted[i].equals(given[i])) {
        return Optional.empty();
      }
    }
    return Optional.of(values);
  }
}
