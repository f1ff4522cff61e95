// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.suspend;

import io.outboard.backend.suspend.CheckpointHelper.Order;
import io.outboard.backend.system.Log;
import io.outboard.cuda.CudaResult;
import java.time.Duration;
import java.util.List;

/** A vendor's driver does it, told so by another process. */
public final class CheckpointSuspension implements Suspension {
  /** Lets others of its user see the worker's process. */
  public interface Shower {
    /** Does so. */
    void show() throws SuspensionException;
  }

  private final Checkpoints driver;
  private final Shower worker;
  private final long process;
  private final Duration patience;
  // Whether the last attempt failed as work was under way.
  private boolean working;

  /** {@code patience} is how long the driver may wait for work that it knows of alone. */
  public CheckpointSuspension(Checkpoints driver, Shower worker, long process, Duration patience) {
    this.driver = driver;
    this.worker = worker;
    this.process = process;
    this.patience = patience;
  }

  /**
   * A driver may have to look into the process, which workers do not let others of their user: if
   * it fails, it gets a second try with one that can be seen.
   */
  @Override
  public void putAside() throws SuspensionException {
    try {
      attempt();
    } catch (SuspensionException e) {
      if (working) {
        throw e;
      }
      Log.info("process %d is let be seen: %s".formatted(process, e.getMessage()));
      worker.show();
      attempt();
    }
  }

  private void attempt() throws SuspensionException {
    int state = driver.order(Order.STATE, process, 0);
    if (state != ProcessCheckpoints.RUNNING) {
      throw failed(Order.STATE, Math.abs(state));
    }
    int locked = driver.order(Order.LOCK, process, patience.toMillis());
    working = locked == CudaResult.NOT_READY;
    check(Order.LOCK, locked);
    try {
      order(Order.CHECKPOINT, 0);
    } catch (SuspensionException e) {
      order(Order.UNLOCK, 0);
      throw e;
    }
  }

  @Override
  public boolean canMove() throws SuspensionException {
    return driver.order(Order.VERSION, process, 0) >= ProcessCheckpoints.VERSION_THAT_MOVES;
  }

  @Override
  public void bringBack(List<DeviceMove> moves) throws SuspensionException {
    int state = driver.order(Order.STATE, process, 0);
    if (state == ProcessCheckpoints.FAILED) {
      throw SuspensionException.loss("the driver has lost what it had put aside");
    }
    if (state == ProcessCheckpoints.CHECKPOINTED) {
      check(Order.RESTORE, driver.restore(process, moves));
    }
    order(Order.UNLOCK, 0);
  }

  private void order(Order order, long milliseconds) throws SuspensionException {
    check(order, driver.order(order, process, milliseconds));
  }

  private static void check(Order order, int result) throws SuspensionException {
    if (result != CudaResult.SUCCESS) {
      throw failed(order, result);
    }
  }

  private static SuspensionException failed(Order order, int result) {
    return new SuspensionException(
        "the driver's checkpoint failed (%s: %s)".formatted(order, CudaResult.name(result)));
  }
}
