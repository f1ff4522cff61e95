// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.json.Json;
import io.outboard.cli.command.Failure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The words that an image starts, as its configuration has them (OCI image specification, {@code
 * config}).
 *
 * @param entrypoint the program that is always started
 * @param command its usual arguments, or all of the command
 */
record Image(List<String> entrypoint, List<String> command) {
  /** A folder, which says nothing. */
  static final Image OF_FOLDER = new Image(List.of(), List.of());

  /** Asks the engine, which fetches the image where it is not here. */
  static Image of(Engine engine, String name) throws Failure {
    Optional<Image> here = inspect(engine, name);
    if (here.isEmpty()) {
      pull(engine, name);
    }
    return here.or(() -> inspect(engine, name))
        .orElseThrow(() -> new Failure("%s has no image %s".formatted(engine.program(), name)));
  }

  private static Optional<Image> inspect(Engine engine, String name) {
    try {
      Process process =
          new ProcessBuilder(
                  engine.program(), "image", "inspect", "--format", "{{json .Config}}", "--", name)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String text = new String(process.getInputStream().readAllBytes(), UTF_8);
      return process.waitFor() == 0 ? Optional.of(read(text)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static Image read(String text) {
    return Json.read(text.strip()) instanceof Map<?, ?> config
        ? new Image(words(config.get("Entrypoint")), words(config.get("Cmd")))
        : OF_FOLDER;
  }

  private static List<String> words(Object value) {
    return value instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
  }

  /** Its progress is for the person. */
  private static void pull(Engine engine, String name) throws Failure {
    try {
      int status =
          new ProcessBuilder(engine.program(), "pull", "--", name)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
      if (status != 0) {
        throw new Failure("'%s pull %s' ends with %d".formatted(engine.program(), name, status));
      }
    } catch (IOException e) {
      throw new Failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted");
    }
  }

  /**
   * The words that a container of it starts.
   *
   * @throws Failure if nothing is said, neither by the image nor by the line
   */
  List<String> started(RunLine line) throws Failure {
    List<String> words = new ArrayList<>();
    line.entrypoint()
        .ifPresentOrElse(
            own -> {
              if (!own.isEmpty()) {
                words.add(own);
              }
            },
            () -> words.addAll(entrypoint));
    boolean isUsual = line.command().isEmpty() && line.entrypoint().isEmpty();
    words.addAll(isUsual ? command : line.command());
    if (words.isEmpty()) {
      throw new Failure("the image %s says no command, nor does the line".formatted(line.image()));
    }
    return words;
  }
}
