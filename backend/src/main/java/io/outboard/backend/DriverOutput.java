// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Posix;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * What the vendor's driver writes to this process's standard streams, while the program waits, is
 * the program's: the output of kernels ({@code printf}) and the lines of failed assertions (CUDA
 * C++ Programming Guide, "Formatted Output", "Assertion").
 */
final class DriverOutput {
  private static final int OUTPUT = 1;
  private static final int ERROR = 2;

  private final CapturedStream output;
  private final CapturedStream error;

  private DriverOutput(CapturedStream output, CapturedStream error) {
    this.output = output;
    this.error = error;
  }

  /** Captures both streams; this program's own lines must go elsewhere ({@link OwnError}). */
  static DriverOutput capture() throws IOException {
    return new DriverOutput(CapturedStream.of(OUTPUT), CapturedStream.of(ERROR));
  }

  /** Gives the client what was written. */
  void forward(SessionContext context) {
    Posix.flushStreams();
    forward(output, context::output);
    forward(error, context::error);
  }

  private static void forward(CapturedStream from, Consumer<byte[]> to) {
    byte[] text = from.take();
    if (text.length > 0) {
      to.accept(text);
    }
  }
}
