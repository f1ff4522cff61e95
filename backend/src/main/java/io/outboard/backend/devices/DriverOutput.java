// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import io.outboard.backend.library.SessionContext;
import io.outboard.communicator.posix.Posix;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Forwards the vendor's driver output to the program. The driver writes it to this process's
 * standard streams while the program waits: the output of kernels ({@code printf}) and the lines of
 * failed assertions (CUDA C++ Programming Guide, "Formatted Output", "Assertion").
 *
 * <p>Most programs print nothing and wait often: then only the C library's own count is looked at,
 * and the files, which takes most of a microsecond, where that says that there is something, where
 * a wait failed, where the driver has written before, and now and then.
 */
public final class DriverOutput {
  private static final int OUTPUT = 1;
  private static final int ERROR = 2;
  private static final long SELDOM_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private static DriverOutput captured;
  private static DriverOutput silent;

  private final CapturedStream output;
  private final CapturedStream error;
  // Written without a lock: a thread that sees an old value looks once too often.
  private volatile boolean hasWritten;
  private volatile long lastLook = System.nanoTime();

  /** With the process's streams, or others in tests. */
  DriverOutput(CapturedStream output, CapturedStream error) {
    this.output = output;
    this.error = error;
  }

  /**
   * Captures both streams, once for all libraries of the process; this program's own lines must go
   * elsewhere ({@code StderrGuard}).
   */
  public static synchronized DriverOutput capture() throws IOException {
    if (captured == null) {
      captured = new DriverOutput(CapturedStream.of(OUTPUT), CapturedStream.of(ERROR));
    }
    return captured;
  }

  /** That of a driver that writes nothing, once for all warm-ups of the process. */
  public static synchronized DriverOutput silent() throws IOException {
    if (silent == null) {
      silent = new DriverOutput(CapturedStream.silent(), CapturedStream.silent());
    }
    return silent;
  }

  /** Gives the client what was written; {@code failed}: the wait has failed, or look anyhow. */
  public void forward(SessionContext context, boolean failed) {
    if (failed || hasWritten || Posix.pendingOutput() != 0 || isTime()) {
      Posix.flushStreams();
      forward(output, context::output);
      forward(error, context::error);
    }
  }

  private boolean isTime() {
    long now = System.nanoTime();
    boolean time = now - lastLook > SELDOM_NS;
    if (time) {
      lastLook = now;
    }
    return time;
  }

  private void forward(CapturedStream from, Consumer<byte[]> to) {
    byte[] text = from.take();
    if (text.length > 0) {
      hasWritten = true;
      to.accept(text);
    }
  }
}
