// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads that run the blocks of kernels: one a processor, made when needed. */
public final class KernelThreads {
  private static final long IDLE_SECONDS = 10;

  private final int count = Runtime.getRuntime().availableProcessors();
  private ThreadPoolExecutor executor;

  /** Number of threads. */
  public int count() {
    return count;
  }

  /** Runs the workers of grids. */
  public synchronized Executor executor() {
    if (executor == null) {
      executor =
          new ThreadPoolExecutor(
              count,
              count,
              IDLE_SECONDS,
              TimeUnit.SECONDS,
              new LinkedBlockingQueue<>(),
              KernelThreads::thread);
      executor.allowCoreThreadTimeOut(true);
    }
    return executor;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(null, work, "outboard-blocks", 0, false);
    thread.setDaemon(true);
    return thread;
  }
}
