// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.worker;

import io.outboard.backend.move.BulkConnections;
import io.outboard.backend.move.LinkedHosts;
import io.outboard.backend.session.LastingStream;
import io.outboard.backend.session.WorkerSession;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Limits;
import io.outboard.wire.Slot;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Takes what the daemon passes on to a worker that serves: further connections of its client, for
 * bulk data and for its threads, and the connection over which it gives orders.
 */
final class DescriptorReceiver {
  /** So many that come back with the session's first connection are heard out at a time. */
  private static final int MOST_RETURNS = 4;

  private final DaemonLink daemon;
  private final WorkerSession session;
  private final BulkConnections connections;
  private final LinkedHosts links;
  private final Optional<LastingStream> lasting;
  private final int graceSeconds;
  private final DaemonRequests requests;
  private final Aside aside = new Aside();
  private final Semaphore returns = new Semaphore(MOST_RETURNS);
  // All connections of threads may have been lost together, and take no room of the first one's.
  private final Semaphore returnsOfThreads = new Semaphore(Limits.THREAD_CONNECTIONS);

  DescriptorReceiver(DaemonLink daemon, WorkerSession session, SessionOpener opening) {
    this.daemon = daemon;
    this.session = session;
    this.lasting = opening.lasting();
    this.graceSeconds = opening.graceSeconds();
    this.requests = opening.requests();
    this.connections = BulkConnections.of(session.context());
    this.links = LinkedHosts.of(session.context());
    if (lasting.isPresent()) {
      connections.outlive(session::tellBulkLoss);
    }
    session.onBulkLoss(this::dropAll);
    connections.onLoss(cause -> session.end(cause, true));
  }

  private void dropAll(long transfer) {
    connections.lostByClient(transfer);
    links.dropAll();
  }

  void start() {
    Thread.ofPlatform().name("joining").daemon(true).start(this::take);
  }

  /** From one daemon after the other. */
  private void take() {
    do {
      takeAll(daemon.connection());
    } while (daemon.awaitNext());
  }

  private void takeAll(int connection) {
    for (Optional<HandOver.Further> more = HandOver.receiveMore(connection);
        more.isPresent();
        more = HandOver.receiveMore(connection)) {
      take(more.get());
    }
  }

  private void take(HandOver.Further more) {
    switch (more.purpose()) {
      case ORDERS -> new SessionOrders(more.descriptor(), session, aside).start();
      case BULK -> connections.add(more.descriptor());
      case RETURN -> goOver(lasting, more.descriptor(), returns);
      case CALLS -> session.connect(more.number(), more.descriptor(), graceSeconds);
      case CALLS_RETURN ->
          goOver(session.returning(more.number()), more.descriptor(), returnsOfThreads);
      case REQUESTS -> requests.over(more.descriptor());
      case LINK_FROM -> links.from().add(more.descriptor());
      case LINK_TO -> links.to(new Slot(more.number()).number()).add(more.descriptor());
    }
  }

  /** One that cannot be at once is turned away: its client tries again. */
  private static void goOver(Optional<LastingStream> stream, int connection, Semaphore room) {
    if (stream.isEmpty() || !room.tryAcquire()) {
      Posix.close(connection);
      return;
    }
    Thread.ofPlatform()
        .name("return")
        .daemon(true)
        .start(
            () -> {
              try {
                stream.get().goOver(connection);
              } finally {
                room.release();
              }
            });
  }
}
