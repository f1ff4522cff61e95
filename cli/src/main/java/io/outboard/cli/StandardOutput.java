// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntConsumer;

/**
 * Standard output whose loss ends the command. A {@link PrintStream} keeps a failed write to
 * itself, so that a command would go on for a reader that has gone, or be done with a file that it
 * did not write whole.
 */
final class StandardOutput extends OutputStream {
  /** The status where the reader of a pipe has gone: as of a program that SIGPIPE ends. */
  static final int CLOSED = 128 + 13;

  /** The status where it is a file that cannot be written. */
  static final int FAILED = 1;

  private static final Path ITSELF = Path.of("/proc/self/fd/1");

  /**
   * Nobody has what was written; whoever must has been told. No command, nor the parser, takes it
   * for a failure of its own.
   */
  static final class Lost extends Error {
    @Serial private static final long serialVersionUID = 1;

    private final int status;

    private Lost(int status, IOException cause) {
      super(cause);
      this.status = status;
    }

    /** The command's exit status. */
    int status() {
      return status;
    }
  }

  private final OutputStream to;
  private final boolean pipe;
  private final PrintStream errors;
  private final IntConsumer end;
  private boolean lost;

  /**
   * Makes one.
   *
   * @param pipe whether a reader can go
   * @param errors is told of any other loss
   * @param end ends the process with a status; returns at once
   */
  StandardOutput(OutputStream to, boolean pipe, PrintStream errors, IntConsumer end) {
    this.to = to;
    this.pipe = pipe;
    this.errors = errors;
    this.end = end;
  }

  /** This process's standard output is one from here on. */
  static void install() {
    OutputStream itself =
        new StandardOutput(
            new FileOutputStream(FileDescriptor.out), isPipe(), System.err, StandardOutput::end);
    System.setOut(new PrintStream(new BufferedOutputStream(itself), false, System.out.charset()));
  }

  private static boolean isPipe() {
    try {
      String what = Files.readSymbolicLink(ITSELF).toString();
      return what.startsWith("pipe:") || what.startsWith("socket:");
    } catch (IOException e) {
      return false;
    }
  }

  /** Also where a thread of its own writes; a hook that writes as the process ends goes on. */
  private static void end(int status) {
    Thread.ofPlatform().name("output-lost").daemon(true).start(() -> System.exit(status));
  }

  @Override
  public void write(int one) {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int length) {
    if (lost) {
      return;
    }
    try {
      to.write(bytes, from, length);
    } catch (IOException e) {
      throw lost(e);
    }
  }

  private Lost lost(IOException cause) {
    lost = true;
    if (!pipe) {
      errors.println("outboard: standard output cannot be written: " + cause.getMessage());
    }
    int status = pipe ? CLOSED : FAILED;
    end.accept(status);
    return new Lost(status, cause);
  }
}
