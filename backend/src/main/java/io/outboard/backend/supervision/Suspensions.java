// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import io.outboard.backend.suspend.CheckpointSuspension;
import io.outboard.backend.suspend.Checkpoints;
import io.outboard.backend.suspend.Suspension;
import io.outboard.backend.suspend.SuspensionException;
import io.outboard.backend.worker.SessionOrders.Order;
import java.time.Duration;

/** The parts that all suspensions of a daemon share: the helper, and a budget. */
public final class Suspensions implements AutoCloseable {
  private final Checkpoints driver;
  private final long most;
  private final boolean mps;
  private long taken;

  /** At most so many bytes are put aside at a time; {@code mps}: drivers are its clients. */
  public Suspensions(Checkpoints driver, long most, boolean mps) {
    this.driver = driver;
    this.most = most;
    this.mps = mps;
  }

  /**
   * Takes room for what is put aside.
   *
   * @throws SuspensionException if there is not that much
   */
  synchronized void take(long bytes) throws SuspensionException {
    if (bytes > most - taken) {
      throw new SuspensionException(
          "%d MiB would have to be put aside, and of %d MiB for that %d are taken"
              .formatted(bytes >> 20, most >> 20, taken >> 20));
    }
    taken += bytes;
  }

  /** Gives it back. */
  synchronized void give(long bytes) {
    taken -= bytes;
  }

  /**
   * How a worker's session is suspended of which a vendor's driver has everything.
   *
   * @throws SuspensionException if it never can be
   */
  public Suspension ofDriver(SessionControl worker, long process, Duration patience)
      throws SuspensionException {
    if (mps) {
      throw new SuspensionException(
          "its GPUs are used through MPS, and NVIDIA's checkpoint of processes is not for clients"
              + " of that");
    }
    return new CheckpointSuspension(driver, () -> worker.order(Order.SHOW), process, patience);
  }

  @Override
  public void close() {
    driver.close();
  }
}
