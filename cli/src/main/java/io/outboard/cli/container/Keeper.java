// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.cli.command.Failure;
import io.outboard.communicator.posix.Posix;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Stays beside the process that becomes the engine's command, until that one and its container have
 * ended: the command can be killed, or end at once ({@code --detach}), and the container goes on.
 */
final class Keeper implements AutoCloseable {
  /** The first line of what the launcher is told, by which it knows it from a text for people. */
  private static final String MARK = "#outboard";

  private final Engine engine;
  private final ProcessHandle launcher;
  private final Path folder;
  private volatile boolean handed;

  /**
   * Makes one. The launcher may be interrupted while a lease is waited for: then this process ends,
   * and all is undone.
   */
  Keeper(Engine engine, long launcher) throws Failure {
    this.engine = engine;
    this.launcher =
        ProcessHandle.of(launcher).orElseThrow(() -> new Failure("the launcher has gone"));
    try {
      folder = Files.createTempDirectory("outboard-container");
    } catch (IOException e) {
      throw new Failure(e);
    }
    var unused = this.launcher.onExit().thenRun(this::endUnlessHanded);
  }

  private void endUnlessHanded() {
    if (!handed) {
      System.exit(1);
    }
  }

  /** Where the engine writes the container's id, unless the user wants it elsewhere. */
  Path cidFile() {
    return folder.resolve("id");
  }

  /**
   * Tells the launcher what it becomes; nothing that it starts waits for this process.
   *
   * @param detached whether somebody may wait for the end of what the command prints
   */
  void handOver(List<String> lines, boolean detached) throws Failure {
    handed = true;
    try {
      say(lines);
    } catch (IOException e) {
      throw new Failure(e);
    }
    if (detached) {
      forgetErrors();
    }
  }

  /** The launcher fails as well, unless it has become something else by now. */
  static void fail() {
    try {
      say(List.of("exit 1"));
    } catch (IOException e) {
      // Standard output is closed: it was told what it becomes.
    }
  }

  private static void say(List<String> lines) throws IOException {
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      out.write((MARK + "\n" + String.join("\n", lines) + "\n").getBytes(UTF_8));
    }
  }

  private static void forgetErrors() throws Failure {
    int nothing = Posix.open("/dev/null", Posix.O_WRONLY, 0);
    if (nothing < 0 || Posix.dup2(nothing, 2) < 0) {
      throw new Failure("/dev/null cannot be opened");
    }
    Posix.close(nothing);
  }

  /** Waits for the command's end, then for that of the container whose id is in a file. */
  void await(Path cidFile) throws Failure {
    try {
      launcher.onExit().join();
      if (Files.exists(cidFile)) {
        awaitContainer(Files.readString(cidFile).strip());
      }
    } catch (IOException e) {
      throw new Failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One that is removed already has ended as well: the engine says that there is none. */
  private void awaitContainer(String id) throws IOException, InterruptedException {
    int unused =
        new ProcessBuilder(engine.program(), "wait", "--", id)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
  }

  @Override
  public void close() throws Failure {
    try {
      Files.deleteIfExists(cidFile());
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new Failure(e);
    }
  }
}
