// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.offload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.cli.command.Failure;
import io.outboard.cli.command.ShellWords;
import io.outboard.cli.command.Undo;
import io.outboard.communicator.posix.PrivateFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Workers that are tasks of an array job of Slurm: each serves on its node, and registers in a
 * folder that the nodes share, by a file with its number for a name.
 */
final class SlurmArray implements Workforce {
  private static final String SCRIPT = "slurm-worker";
  private static final long LOOK_MS = 500;
  private static final int MOST_WORDS = 1_000;

  /** A task that ends may still write. */
  private static final int MOST_LOOKS = 60;

  private final int count;
  private final Path folder;
  private final String job;
  private final Undo undo;

  private SlurmArray(int count, Path folder, String job) {
    this.count = count;
    this.folder = folder;
    this.job = job;
    this.undo = Undo.atTheEnd(this::end);
  }

  /**
   * Submits one, and does not wait.
   *
   * @param shared where its folder is made
   * @param words for {@code sbatch}
   */
  static SlurmArray submit(int count, Path settings, Path shared, List<String> words)
      throws Failure {
    try {
      PrivateFiles.own(shared);
      Path folder = Files.createTempDirectory(shared, "workers");
      try {
        return new SlurmArray(count, folder, submitted(count, settings, folder, words));
      } catch (IOException | Failure e) {
        remove(folder);
        throw e;
      }
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private static String submitted(int count, Path settings, Path folder, List<String> words)
      throws IOException, Failure {
    List<String> command = new ArrayList<>(List.of("sbatch", "--parsable"));
    command.addAll(List.of("--job-name=outboard-offload", "--array=1-" + count));
    command.add("--output=" + folder.resolve("said.%a"));
    command.addAll(words);
    return said(command, script(settings, folder)).split(";", -1)[0];
  }

  private static String script(Path settings, Path folder) throws IOException {
    if (!Files.isReadable(settings)) {
      throw new FileNotFoundException(settings.toString());
    }
    try (InputStream in = SlurmArray.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new FileNotFoundException(SCRIPT);
      }
      return String.join(
          "\n",
          "#!/bin/sh",
          ShellWords.exported("folder", folder.toString()),
          ShellWords.exported("settings", settings.toAbsolutePath().toString()),
          new String(in.readAllBytes(), UTF_8));
    }
  }

  /** The output of a command of Slurm's, which succeeds. */
  private static String said(List<String> command, String input) throws IOException, Failure {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (OutputStream out = process.getOutputStream()) {
      out.write(input.getBytes(UTF_8));
    }
    String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new Failure(command.getFirst() + " has failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted");
    }
    return said;
  }

  /** The number of the job. */
  String job() {
    return job;
  }

  /**
   * Waits until all tasks have registered.
   *
   * @param patience for how long; none: as long as the job waits or runs
   */
  void await(Optional<Duration> patience) throws Failure {
    Instant limit = patience.map(time -> Instant.now().plus(time)).orElse(Instant.MAX);
    while (registered() < count) {
      if (Instant.now().isAfter(limit)) {
        throw new Failure(
            "%d of %d workers have registered in time".formatted(registered(), count));
      }
      if (tasks() < count && registered() < count) {
        throw new Failure("a task of job " + job + " has ended: " + lastWords());
      }
      pause();
    }
  }

  private long registered() {
    return files().filter(Files::exists).count();
  }

  private Stream<Path> files() {
    return Stream.iterate(1, number -> number + 1)
        .limit(count)
        .map(number -> folder.resolve(Integer.toString(number)));
  }

  /** How many of its tasks wait or run. */
  private long tasks() throws Failure {
    try {
      List<String> look =
          List.of("squeue", "--noheader", "--array", "--format=%T", "--jobs=" + job);
      return said(look, "").lines().count();
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  /** The end of what the first task says that has not registered. */
  private String lastWords() throws Failure {
    for (int number = 1; number <= count; number++) {
      Path said = folder.resolve("said." + number);
      if (!Files.exists(folder.resolve(Integer.toString(number))) && Files.exists(said)) {
        try {
          String words = Files.readString(said).strip();
          return words.substring(Math.max(0, words.length() - MOST_WORDS));
        } catch (IOException e) {
          throw new Failure(e);
        }
      }
    }
    return "it has said nothing";
  }

  private static void pause() throws Failure {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted");
    }
  }

  @Override
  public List<String> lines() throws Failure {
    try {
      List<String> lines = new ArrayList<>();
      for (Path file : files().toList()) {
        lines.add(Files.readString(file).strip());
      }
      return lines;
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  @Override
  public void close() {
    undo.forget();
    end();
  }

  private void end() {
    try {
      String unused = said(List.of("scancel", job), "");
      for (int look = 0; look < MOST_LOOKS && tasks() > 0; look++) {
        pause();
      }
      remove(folder);
    } catch (IOException | Failure e) {
      System.err.println("outboard: job " + job + " is to be cancelled: " + e.getMessage());
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }
}
