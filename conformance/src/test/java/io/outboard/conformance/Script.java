// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;

/**
 * Shell scripts that tests write and then start.
 *
 * <p>Linux refuses to start a file that any process has open for writing ({@code ETXTBSY}). A child
 * that another thread starts holds this process's descriptors until its {@code exec}. So a process
 * of its own writes the file, and ends before anybody starts it.
 */
final class Script {
  private Script() {}

  /**
   * Writes a script that its owner and others may start.
   *
   * @throws IOException the file cannot be written
   */
  static void write(Path file, String text) throws IOException {
    Process install =
        new ProcessBuilder("install", "-m", "755", "/dev/stdin", file.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (Writer input = install.outputWriter()) {
      input.write(text);
    }
    if (install.onExit().join().exitValue() != 0) {
      throw new IOException("cannot write " + file);
    }
  }
}
