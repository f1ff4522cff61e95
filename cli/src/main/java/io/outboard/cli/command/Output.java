// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import io.outboard.api.json.Json;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** How the commands that answer something print it: as text or, with {@code --json}, as JSON. */
public final class Output {
  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--json", description = "JSON instead of text.")
  private boolean json;

  /** Whether a program is to read it. */
  public boolean isJson() {
    return json;
  }

  /** Prints an answer. */
  public void print(Answer answer) {
    print(json ? Stream.of(text(answer.json())) : lines(answer));
  }

  /** Prints one of many answers: an object is on one line. */
  public void follow(Answer answer) {
    print(json ? Stream.of(Json.write(answer.json())) : lines(answer));
  }

  private static Stream<String> lines(Answer answer) {
    boolean coloured = Terminal.isColoured();
    return answer.lines().stream().map(line -> coloured ? line.coloured() : line.text());
  }

  private void print(Stream<String> lines) {
    PrintWriter out = spec.commandLine().getOut();
    lines.forEach(out::println);
    out.flush();
  }

  /** The value with a line for each object of a list, at the top or in an object there. */
  public static String text(Object value) {
    return switch (value) {
      case List<?> list -> rows(list, "\n ");
      case Map<?, ?> object when object.values().stream().anyMatch(Output::isTable) ->
          object.entrySet().stream()
              .map(field -> Json.text(field.getKey().toString()) + ": " + field(field.getValue()))
              .collect(Collectors.joining(",\n ", "{", "}"));
      default -> Json.write(value);
    };
  }

  private static String field(Object value) {
    return isTable(value) ? rows((List<?>) value, "\n  ") : Json.write(value);
  }

  private static boolean isTable(Object value) {
    return value instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance);
  }

  private static String rows(List<?> list, String separator) {
    return list.stream().map(Json::write).collect(Collectors.joining("," + separator, "[", "]"));
  }
}
