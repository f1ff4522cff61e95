// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Standard error under a descriptor of its own, so that this program's lines go where they always
 * went when descriptor 2 is led elsewhere.
 */
public final class StderrGuard extends OutputStream {
  private static final int ERROR = 2;
  private static final int LEAST = 3;

  private final int descriptor;

  private StderrGuard(int descriptor) {
    this.descriptor = descriptor;
  }

  /** Has {@link System#err}, and so the log, write there; before the first line is logged. */
  public static void install() {
    int copy = Posix.fcntl(ERROR, Posix.F_DUPFD_CLOEXEC, LEAST);
    if (copy >= 0) {
      System.setErr(new PrintStream(new StderrGuard(copy), true, UTF_8));
    }
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try (NativeBuffer buffer = new NativeBuffer(Math.max(length, 1))) {
      buffer.put(0, bytes, offset, length);
      Errno.check(Posix.writeAll(descriptor, buffer.address(), length), "write");
    }
  }
}
