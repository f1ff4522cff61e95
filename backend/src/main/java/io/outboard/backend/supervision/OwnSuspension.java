// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import io.outboard.backend.suspend.DeviceMove;
import io.outboard.backend.suspend.Suspension;
import io.outboard.backend.suspend.SuspensionException;
import io.outboard.backend.worker.SessionOrders.Order;
import java.time.Duration;
import java.util.List;

/** The worker does it itself, as its devices are its own: the software GPU. */
final class OwnSuspension implements Suspension {
  /** For as much as a disk takes in this time. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final SessionControl worker;

  OwnSuspension(SessionControl worker) {
    this.worker = worker;
  }

  @Override
  public void putAside() throws SuspensionException {
    worker.order(Order.PUT_ASIDE, Duration.ZERO, LIMIT);
  }

  /** A software GPU is the worker's own, whichever of them the worker stands for. */
  @Override
  public boolean canMove() {
    return true;
  }

  @Override
  public void bringBack(List<DeviceMove> moves) throws SuspensionException {
    worker.order(Order.BRING_BACK, Duration.ZERO, LIMIT);
  }
}
