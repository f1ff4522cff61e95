// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.backend.move.BulkConnections;
import io.outboard.backend.session.WorkerSession;
import java.util.Optional;

/**
 * Takes what the daemon passes on to a worker that serves: further connections of its client, for
 * bulk data, and the connection over which it gives orders.
 */
final class Joining {
  private final int daemon;
  private final WorkerSession session;
  private final BulkConnections connections;

  Joining(int daemon, WorkerSession session) {
    this.daemon = daemon;
    this.session = session;
    this.connections = BulkConnections.of(session);
    connections.onLoss(cause -> session.end(cause, true));
  }

  void start() {
    Thread.ofPlatform().name("joining").daemon(true).start(this::take);
  }

  /** Until the daemon goes, which {@link HangUp} sees too. */
  private void take() {
    for (Optional<HandOver.Further> more = HandOver.receiveMore(daemon);
        more.isPresent();
        more = HandOver.receiveMore(daemon)) {
      take(more.get());
    }
  }

  private void take(HandOver.Further more) {
    if (more.orders()) {
      new SessionOrders(more.descriptor(), session).start();
    } else {
      connections.add(more.descriptor());
    }
  }
}
