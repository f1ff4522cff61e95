// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

/**
 * Takes the further connections of a worker's client, which the daemon passes on, for bulk data.
 */
final class Joining {
  private final int daemon;
  private final BulkConnections connections;

  Joining(int daemon, WorkerSession session) {
    this.daemon = daemon;
    this.connections = BulkConnections.of(session);
    connections.onLoss(cause -> session.end(cause, true));
  }

  void start() {
    Thread.ofPlatform().name("joining").daemon(true).start(this::take);
  }

  /** Until the daemon goes, which {@link HangUp} sees too. */
  private void take() {
    for (int client = HandOver.receiveMore(daemon);
        client >= 0;
        client = HandOver.receiveMore(daemon)) {
      connections.add(client);
    }
  }
}
