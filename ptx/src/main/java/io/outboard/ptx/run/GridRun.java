// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.run;

import io.outboard.ptx.host.PtxLaunch;
import io.outboard.ptx.host.PtxTrap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * One launch: the calling thread and helpers from the host's executor take block after block, in
 * order. A helper that the executor starts too late finds the grid closed and does nothing.
 */
public final class GridRun {
  /** How long a worker waits that finds all blocks of a cooperative launch with others. */
  private static final long PAUSE_NANOS = 20_000;

  private final CompiledKernel kernel;
  private final PtxLaunch launch;
  private final long blocks;
  private final AtomicLong next = new AtomicLong();

  /** The blocks of a cooperative launch, else null. */
  private final BlockPool together;

  private final Object lock = new Object();
  private int active;
  private boolean closed;
  private PtxTrap trap;
  private Throwable failure;

  private GridRun(CompiledKernel kernel, PtxLaunch launch) {
    this.kernel = kernel;
    this.launch = launch;
    this.blocks = launch.grid().count();
    this.together = launch.workspace() != 0 ? new BlockPool(kernel, launch) : null;
  }

  /** Runs the whole grid. */
  public static void run(CompiledKernel kernel, PtxLaunch launch) throws PtxTrap {
    GridRun run = new GridRun(kernel, launch);
    run.start();
    run.work(0);
    run.finish();
  }

  private void start() {
    long workers = Math.min(launch.host().parallelism(), blocks);
    for (int i = 1; i < workers; i++) {
      int processor = i;
      launch.host().executor().execute(() -> help(processor));
    }
  }

  private void help(int processor) {
    synchronized (lock) {
      if (closed) {
        return;
      }
      active++;
    }
    try {
      work(processor);
    } finally {
      synchronized (lock) {
        active--;
        lock.notifyAll();
      }
    }
  }

  private void finish() throws PtxTrap {
    boolean interrupted = false;
    synchronized (lock) {
      closed = true;
      while (active > 0) {
        try {
          lock.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    report();
  }

  private void report() throws PtxTrap {
    if (trap != null) {
      throw trap;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw new IllegalStateException("kernel " + kernel.name() + " failed", failure);
    }
  }

  private void work(int processor) {
    if (together != null) {
      workTogether();
    } else {
      workAlone(processor);
    }
  }

  private void workTogether() {
    BlockRunner runner = null;
    try {
      while (together.isOpen()) {
        runner = together.take();
        if (runner == null) {
          LockSupport.parkNanos(PAUSE_NANOS);
        } else {
          together.putBack(runner, !runner.step());
        }
      }
    } catch (Fault fault) {
      stop(trap(fault, runner.context()), null);
    } catch (RuntimeException | Error e) {
      stop(null, e);
    }
  }

  private void workAlone(int processor) {
    BlockContext context = null;
    try {
      context = BlockContext.of(kernel, launch, processor);
      BlockRunner runner = new BlockRunner(kernel, context);
      for (long block = next.getAndIncrement(); block < blocks; block = next.getAndIncrement()) {
        context.enter(block);
        context.checkCancelled();
        runner.run();
      }
    } catch (Fault fault) {
      stop(trap(fault, context), null);
    } catch (RuntimeException | Error e) {
      stop(null, e);
    }
  }

  private PtxTrap trap(Fault fault, BlockContext context) {
    String message = fault.getMessage();
    if (fault.kind() != PtxTrap.Kind.ASSERT) {
      message += " in kernel " + kernel.name() + ", " + context.place();
    }
    return new PtxTrap(fault.kind(), fault.address(), message);
  }

  /** Keeps the first reason and gives out no more blocks. */
  private void stop(PtxTrap reason, Throwable unexpected) {
    next.set(blocks);
    if (together != null) {
      together.close();
    }
    synchronized (lock) {
      if (trap == null && failure == null) {
        trap = reason;
        failure = unexpected;
      }
    }
  }
}
