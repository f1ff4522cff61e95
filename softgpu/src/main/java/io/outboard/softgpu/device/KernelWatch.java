// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import io.outboard.cuda.CudaResult;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Stops kernels that run for longer than they may, with their contexts. */
public final class KernelWatch {
  private static final Watched UNWATCHED = () -> {};

  private final Duration limit;
  private ScheduledThreadPoolExecutor timer;

  /** {@code limit} is null where kernels may run for as long as they do. */
  public KernelWatch(Duration limit) {
    this.limit = limit;
  }

  public boolean isLimited() {
    return limit != null;
  }

  /** A kernel that runs, until it is closed. */
  public interface Watched extends AutoCloseable {
    @Override
    void close();
  }

  /** Begins to watch a kernel, which runs from now on. */
  public Watched watch(Context context, String kernel) {
    if (limit == null) {
      return UNWATCHED;
    }
    Future<?> end =
        timer().schedule(() -> stop(context, kernel), limit.toMillis(), TimeUnit.MILLISECONDS);
    return () -> end.cancel(false);
  }

  private synchronized ScheduledThreadPoolExecutor timer() {
    if (timer == null) {
      timer = new ScheduledThreadPoolExecutor(1, KernelWatch::thread);
      timer.setRemoveOnCancelPolicy(true);
    }
    return timer;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(null, work, "outboard-limit", 0, false);
    thread.setDaemon(true);
    return thread;
  }

  /** The line comes first, so that the program has it when it has the error. */
  private void stop(Context context, String kernel) {
    if (context.error() == CudaResult.SUCCESS) {
      String line =
          "kernel '%s' was stopped: it had run for %s, for as long as a kernel may here"
                  .formatted(kernel, seconds())
              + " (outboard serve --kernel-limit, or OUTBOARD_KERNEL_LIMIT)";
      context.machine().console().message(line);
    }
    context.fail(CudaResult.LAUNCH_TIMEOUT);
  }

  private String seconds() {
    return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
  }
}
