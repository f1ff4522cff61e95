// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.backend.SessionOrders.Order;
import java.time.Duration;

/** What the suspensions of a daemon's sessions have in common: the helper, and a budget. */
final class Suspensions implements AutoCloseable {
  private final Checkpoints driver;
  private final long most;
  private long taken;

  /** At most so many bytes are put aside at a time. */
  Suspensions(Checkpoints driver, long most) {
    this.driver = driver;
    this.most = most;
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

  /** How a worker's session is suspended of which a vendor's driver has everything. */
  Suspension ofDriver(SessionControl worker, long process, Duration patience) {
    return new CheckpointSuspension(driver, () -> worker.order(Order.SHOW), process, patience);
  }

  @Override
  public void close() {
    driver.close();
  }
}
