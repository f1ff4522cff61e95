// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/** The threads that do the work of streams: made when needed, ended when idle. */
final class StreamThreads {
  /** Most streams that make progress at the same time without anybody waiting for them. */
  static final int LIMIT = 32;

  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final ArrayDeque<Stream> ready = new ArrayDeque<>();
  private int idle;
  private int threads;

  /** Has a thread drain a stream soon. */
  synchronized void schedule(Stream stream) {
    ready.add(stream);
    if (ready.size() <= idle) {
      notify();
    } else if (threads < LIMIT) {
      start();
    }
  }

  private void start() {
    Thread thread = new Thread(null, this::run, "outboard-stream-" + ++threads, 0, false);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    for (Stream stream = next(); stream != null; stream = next()) {
      stream.drain();
    }
  }

  /** The next stream with work; null when there was none for a while. */
  private synchronized Stream next() {
    long deadline = System.nanoTime() + IDLE_NANOS;
    long left = IDLE_NANOS;
    idle++;
    while (ready.isEmpty() && left > 0) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException nobodyWantsThis) {
        break;
      }
      left = deadline - System.nanoTime();
    }
    idle--;
    Stream stream = ready.poll();
    threads -= stream == null ? 1 : 0;
    return stream;
  }
}
