// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import io.outboard.backend.system.Log;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * NVIDIA's control daemon of MPS, which has the programs of a GPU run side by side, for the workers
 * of one daemon: with folders of its own, so that no other program of the host is its client
 * (NVIDIA, <em>Multi-Process Service</em>, "Control Daemon").
 *
 * <p>It puts itself in the background and would outlive who started it. A shell waits at a pipe for
 * the daemon's end, also a sudden one, tells it to quit and removes the folders. A signal such as
 * Ctrl-C, which ends the daemon in good order, may reach the shell too; the shell must not end
 * before the daemon.
 */
public final class MpsControl implements AutoCloseable {
  private static final String PROGRAM = "nvidia-cuda-mps-control";
  private static final String READY = "ready";
  private static final long END_SECONDS = 10;
  private static final String FOLDER = "OUTBOARD_MPS";

  private static final String SCRIPT =
      """
      if %1$s -d; then
        trap "" HUP INT TERM
        echo %2$s
        exec >/dev/null
        cat
        echo quit | %1$s
      fi
      rm -rf -- "$%3$s"
      """
          .formatted(PROGRAM, READY, FOLDER);

  private final Process shell;
  private final Path folder;

  private MpsControl(Process shell, Path folder) {
    this.shell = shell;
    this.folder = folder;
  }

  /**
   * Starts it.
   *
   * @param environment of the control daemon, and nothing else is in it but the folders; {@code
   *     PATH} and {@code XDG_RUNTIME_DIR} are read
   * @param patience how long that may take
   * @throws IOException if it cannot be started; the message says why
   */
  public static MpsControl start(Map<String, String> environment, Duration patience)
      throws IOException {
    if (!isThere(environment)) {
      throw new IOException(
          "there is no %s on the PATH, which comes with NVIDIA's driver".formatted(PROGRAM));
    }
    Path folder = folder(environment);
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", SCRIPT).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.environment().putAll(variables(folder));
    builder.environment().put(FOLDER, folder.toString());
    MpsControl control = new MpsControl(builder.start(), folder);
    control.awaitReady(patience);
    return control;
  }

  /** Whether the program is there. */
  private static boolean isThere(Map<String, String> environment) {
    return Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .map(Path::of)
        .anyMatch(folder -> Files.isExecutable(folder.resolve(PROGRAM)));
  }

  /** Where its user alone can read; the names of sockets in it must be short. */
  private static Path folder(Map<String, String> environment) throws IOException {
    String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    String name = "outboard-mps-";
    Path folder =
        runtime.isEmpty()
            ? Files.createTempDirectory(name)
            : Files.createTempDirectory(Path.of(runtime), name);
    Files.createDirectory(folder.resolve("pipe"));
    Files.createDirectory(folder.resolve("log"));
    return folder;
  }

  private static Map<String, String> variables(Path folder) {
    return Map.of(
        "CUDA_MPS_PIPE_DIRECTORY",
        folder.resolve("pipe").toString(),
        "CUDA_MPS_LOG_DIRECTORY",
        folder.resolve("log").toString());
  }

  private void awaitReady(Duration patience) throws IOException {
    CompletableFuture<String> said = CompletableFuture.supplyAsync(this::said);
    String why =
        said.completeOnTimeout(
                "nothing has happened for " + patience.toSeconds() + " seconds",
                patience.toMillis(),
                TimeUnit.MILLISECONDS)
            .join();
    if (!why.equals(READY)) {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      throw new IOException("%s does not start: %s".formatted(PROGRAM, why));
    }
    Log.info("MPS runs for the workers, with its logs in " + folder.resolve("log"));
  }

  /** That it is ready, or all that it said. */
  private String said() {
    List<String> lines = new ArrayList<>();
    try {
      BufferedReader output = shell.inputReader();
      String line = output.readLine();
      while (line != null && !line.equals(READY)) {
        lines.add(line);
        line = output.readLine();
      }
      return line == null ? String.join("; ", lines) : READY;
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  /** The variables of its clients. */
  public Map<String, String> variables() {
    return variables(folder);
  }

  /** Its clients have ended. */
  @Override
  public void close() {
    try {
      shell.getOutputStream().close();
      if (!shell.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        Log.warn(PROGRAM + " does not quit: it is left in " + folder);
      }
    } catch (IOException e) {
      Log.warn(PROGRAM + " is not told to quit: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
