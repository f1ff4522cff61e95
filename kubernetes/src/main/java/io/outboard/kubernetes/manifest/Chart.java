// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Helm chart ({@code adapters/kubernetes/chart}), filled as Helm fills it. Its templates have
 * conditions that are a line of their own, and expressions; each expression is looked up as it is
 * written, so that no language is read here.
 */
public final class Chart {
  static final List<String> FILES =
      List.of(
          "Chart.yaml",
          "crds/gpuleases.yaml",
          "templates/access.yaml",
          "templates/service.yaml",
          "templates/webhook.yaml",
          "values.schema.json",
          "values.yaml");

  private static final Pattern EXPRESSION = Pattern.compile("\\{\\{ (.+?) \\}\\}");
  private static final Pattern CONDITION =
      Pattern.compile("\\s*\\{\\{- (?:(if not|if) (\\S+)|(else)|(end)) \\}\\}");

  private final Map<String, String> values;

  /**
   * Makes one.
   *
   * @param values by the expressions of the templates; a condition holds where its value is not
   *     empty
   */
  Chart(Map<String, String> values) {
    this.values = Map.copyOf(values);
  }

  /**
   * Writes the chart, for Helm.
   *
   * @param folder which is made
   * @throws IOException if it is there already, or cannot be written
   */
  public static void write(Path folder) throws IOException {
    Path made = Files.createDirectory(folder);
    for (String name : FILES) {
      Path file = made.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, file(name));
    }
  }

  /** A file of the chart, as it is. */
  static String file(String name) {
    try (InputStream text = Chart.class.getResourceAsStream("chart/" + name)) {
      return new String(text.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A template of the chart, filled.
   *
   * @throws IllegalStateException if it has an expression without a value
   */
  String filled(String name) {
    StringBuilder filled = new StringBuilder();
    Deque<Boolean> conditions = new ArrayDeque<>();
    for (String line : file("templates/" + name).lines().toList()) {
      Matcher condition = CONDITION.matcher(line);
      if (condition.matches()) {
        enter(condition, conditions);
      } else if (!conditions.contains(false)) {
        filled.append(EXPRESSION.matcher(line).replaceAll(this::quoted)).append('\n');
      }
    }
    return filled.toString();
  }

  private void enter(Matcher condition, Deque<Boolean> conditions) {
    if (condition.group(1) != null) {
      boolean holds = !value(condition.group(2)).isEmpty();
      conditions.push(holds == condition.group(1).equals("if"));
      return;
    }
    boolean held = conditions.pop();
    if (condition.group(3) != null) {
      conditions.push(!held);
    }
  }

  private String quoted(MatchResult expression) {
    return Matcher.quoteReplacement(value(expression.group(1)));
  }

  private String value(String expression) {
    return Optional.ofNullable(values.get(expression))
        .orElseThrow(() -> new IllegalStateException("the chart has no " + expression));
  }
}
