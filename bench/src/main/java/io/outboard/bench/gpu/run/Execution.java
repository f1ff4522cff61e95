// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program that has run.
 *
 * @param status its exit status; negative if it ran past its time and was killed
 * @param out what it printed
 * @param err what it printed on standard error
 * @param seconds how long it ran
 */
record Execution(int status, String out, String err, double seconds) {
  private static final int KILLED = -1;
  private static final int NOT_STARTED = 127;
  private static final int LAST = 4_000;

  /** Runs a program to its end, or until {@code limit}; then it and its children are killed. */
  static Execution of(List<String> command, Map<String, String> environment, Duration limit)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("outboard-bench", ".out");
    Path err = Files.createTempFile("outboard-bench", ".err");
    try {
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.environment().putAll(environment);
      builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
      builder.redirectOutput(out.toFile()).redirectError(err.toFile());
      long start = System.nanoTime();
      int status = await(builder, limit);
      double seconds = (System.nanoTime() - start) / 1e9;
      return new Execution(status, text(out), text(err), seconds);
    } catch (IOException e) {
      return new Execution(NOT_STARTED, "", e.getMessage(), 0);
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** Programs may print anything. */
  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  private static int await(ProcessBuilder builder, Duration limit)
      throws IOException, InterruptedException {
    Process process = builder.start();
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)
          ? process.exitValue()
          : KILLED;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  boolean failed() {
    return status != 0;
  }

  /** The last of what it printed on standard error. */
  String lastWords() {
    return err.substring(Math.max(0, err.length() - LAST)).strip();
  }

  /** Why it failed, in one line. */
  String reason() {
    String how = status == KILLED ? "killed after %.0f s".formatted(seconds) : "status " + status;
    String last = err.lines().filter(line -> !line.isBlank()).reduce((a, b) -> b).orElse("");
    return last.isEmpty() ? how : how + ": " + last.strip();
  }
}
