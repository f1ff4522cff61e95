// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import io.outboard.cli.command.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Where the engine writes the id of the container that it starts. By it the container's end is
 * awaited: the engine's command can be killed, or end at once ({@code --detach}), and the container
 * goes on.
 */
final class IdFile implements AutoCloseable {
  /** An engine that is started again takes less; one that is lost has lost its containers. */
  private static final Duration AWAY = Duration.ofMinutes(3);

  private final Path file;
  private final Optional<Path> folder;

  private IdFile(Path file, Optional<Path> folder) {
    this.file = file;
    this.folder = folder;
  }

  /** The one that the line names, else one of our own. */
  static IdFile of(RunLine line) throws Failure {
    if (line.cidFile().isPresent()) {
      return new IdFile(Path.of(line.cidFile().get()), Optional.empty());
    }
    try {
      Path made = Files.createTempDirectory("outboard-container");
      return new IdFile(made.resolve("id"), Optional.of(made));
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  /** The words that tell the engine. */
  List<String> words() {
    return folder.isPresent() ? List.of("--cidfile", file.toString()) : List.of();
  }

  /** Waits until the container has ended; where none was made, not at all. */
  void await(Engine engine) throws Failure {
    try {
      if (Files.exists(file)) {
        await(engine, Files.readString(file).strip());
      }
    } catch (IOException e) {
      throw new Failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One that is removed already has ended as well: the engine says that there is none. */
  private static void await(Engine engine, String id) throws IOException, InterruptedException {
    boolean ended;
    do {
      ended = succeeds(engine, "wait", "--", id) || !wasAway(engine);
    } while (!ended);
  }

  /** Whether it did not answer and does so again: its containers may have gone on meanwhile. */
  private static boolean wasAway(Engine engine) throws IOException, InterruptedException {
    if (answers(engine)) {
      return false;
    }
    Instant limit = Instant.now().plus(AWAY);
    while (Instant.now().isBefore(limit)) {
      TimeUnit.SECONDS.sleep(1);
      if (answers(engine)) {
        return true;
      }
    }
    return false;
  }

  private static boolean answers(Engine engine) throws IOException, InterruptedException {
    return succeeds(engine, "version");
  }

  private static boolean succeeds(Engine engine, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(engine.program()));
    command.addAll(List.of(words));
    return new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  @Override
  public void close() throws Failure {
    if (folder.isEmpty()) {
      return;
    }
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder.get());
    } catch (IOException e) {
      throw new Failure(e);
    }
  }
}
