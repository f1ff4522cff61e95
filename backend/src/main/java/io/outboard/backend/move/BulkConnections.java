// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.backend.library.SessionContext;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.Pause;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Limits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * A session's connections for bulk data. The pieces of one transfer come over all of them, in any
 * order, and leave over whichever is free. The numbers of transfers grow; pieces of a transfer that
 * is over are dropped.
 */
public final class BulkConnections {
  /**
   * A client that ends says so over its first connection. That message gets so long to arrive
   * before the end of a bulk connection counts as a loss.
   */
  private static final long GRACE_MS = 200;

  private static final long LOOK_US = 10_000;

  /** Longer than the daemon takes to pass a connection on. */
  private static final long PASSED_ON_NS = TimeUnit.SECONDS.toNanos(5);

  private final BulkBuffers buffers;
  private final LinkedBlockingQueue<BulkBuffer> arrived = new LinkedBlockingQueue<>();
  // Guarded by this object's monitor, as a writer looks at its connection in the same step.
  private final Queue<BulkPiece> leaving = new ArrayDeque<>();
  private final List<BulkConnection> connections = new ArrayList<>();
  private volatile Consumer<String> onLoss = Log::warn;
  private volatile LongConsumer onDrop = _ -> {};
  private volatile boolean over;
  // Whether a loss ends what is under way alone, and new connections may come.
  private volatile boolean lasting;
  // Losses of connections that others took the place of, or may.
  private volatile int losses;
  // The last transfer of which no piece is wanted any more.
  private long finished;
  // The last one that this side knows of, and the last one whose pieces are lost.
  private long latest;
  private long lastLost;
  // Until the client says that it knows of a loss, its transfers go over what is gone.
  private boolean untold;

  BulkConnections() {
    this((int) (Limits.PAYLOAD / Limits.CHUNK));
  }

  /** With memory for at most so many pieces. */
  BulkConnections(int mostPieces) {
    buffers = new BulkBuffers(mostPieces);
  }

  /** A session's. */
  public static BulkConnections of(SessionContext context) {
    return context.shared(BulkConnections.class, BulkConnections::new);
  }

  /** Sets a listener that is told once that a connection is lost, and why. */
  public void onLoss(Consumer<String> listener) {
    onLoss = listener;
  }

  /**
   * From here on the client makes other connections where these are lost. A listener is told of
   * each loss that this side sees, and of the last transfer whose pieces are gone.
   */
  public void outlive(LongConsumer listener) {
    onDrop = listener;
    lasting = true;
  }

  /** Takes over one more; closes it if there are enough. */
  public synchronized void add(int socket) {
    if (over || connections.size() >= Limits.BULK_CONNECTIONS) {
      Posix.close(socket);
      return;
    }
    if (buffers.count() == 0) {
      buffers.grow();
    }
    BulkConnection connection = new BulkConnection(socket, this);
    connections.add(connection);
    connection.start();
    notifyAll();
  }

  BulkBuffers buffers() {
    return buffers;
  }

  /** How often connections were lost. */
  int losses() {
    return losses;
  }

  /** Whether nothing comes or goes any more. */
  boolean isOver() {
    return over;
  }

  /** Whether nothing comes or goes any more of what began after so many losses. */
  boolean isOver(int lossesBefore) {
    return over || losses != lossesBefore;
  }

  /** Whether there is a connection, and a transfer is not over yet. */
  synchronized boolean expects(long transfer) {
    return !connections.isEmpty() && transfer > finished;
  }

  /**
   * As {@link #expects}; waits for the first connection, which the client may use before the daemon
   * has passed it on.
   */
  synchronized boolean comes(long transfer) throws InterruptedException {
    latest = Math.max(latest, transfer);
    long end = System.nanoTime() + PASSED_ON_NS;
    for (long left = PASSED_ON_NS;
        connections.isEmpty() && !isLost(transfer) && !over && left > 0;
        left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    if (connections.isEmpty() && !isLost(transfer) && !over) {
      Log.info("a transfer was given up: no connection for bulk data came");
    }
    return expects(transfer);
  }

  /** By a reader: waits for room for a piece; null if the piece is for nobody. */
  BulkBuffer room(long transfer) throws InterruptedException {
    while (expects(transfer)) {
      BulkBuffer buffer = buffers.poll(LOOK_US);
      if (buffer != null) {
        return buffer;
      }
    }
    return null;
  }

  /** By a reader: a piece has come. */
  synchronized void arrived(BulkConnection by, BulkBuffer piece) {
    if (piece.transfer() > finished && connections.contains(by)) {
      arrived.add(piece);
    } else {
      buffers.give(piece);
    }
  }

  /** Waits so long for the next piece that comes; null if there is none. */
  BulkBuffer next(long microseconds) throws InterruptedException {
    return arrived.poll(microseconds, TimeUnit.MICROSECONDS);
  }

  /** Has a piece written, whose buffer is free then. */
  void leave(BulkBuffer piece, int lossesBefore) {
    leave(
        new BulkPiece(
            piece.transfer(),
            piece.offset(),
            piece.address(),
            piece.bytes(),
            () -> buffers.give(piece)),
        lossesBefore);
  }

  /** Has a piece written, unless its connections are lost; then its memory is free at once. */
  synchronized void leave(BulkPiece piece, int lossesBefore) {
    if (isOver(lossesBefore)) {
      piece.sent().run();
    } else {
      leaving.add(piece);
      notifyAll();
    }
  }

  /** By a writer: waits for the next piece to write; null once its connection is lost. */
  synchronized BulkPiece leaving(BulkConnection by) throws InterruptedException {
    while (leaving.isEmpty() && connections.contains(by)) {
      wait();
    }
    return connections.contains(by) ? leaving.poll() : null;
  }

  /** Ends a transfer and all earlier ones: their pieces, and those that still come, are dropped. */
  synchronized void finish(long transfer) {
    if (transfer <= finished) {
      return;
    }
    finished = transfer;
    List<BulkBuffer> there = new ArrayList<>();
    drain(arrived, there::add);
    for (BulkBuffer piece : there) {
      if (piece.transfer() <= transfer) {
        buffers.give(piece);
      } else {
        arrived.add(piece);
      }
    }
  }

  /** A thread that takes one of them meanwhile has it alone. */
  private static <T> void drain(Queue<T> queue, Consumer<T> to) {
    for (T one = queue.poll(); one != null; one = queue.poll()) {
      to.accept(one);
    }
  }

  /** By a reader: the client has closed a connection between two pieces, as when it ends. */
  void ended(BulkConnection connection) {
    if (!lasting) {
      Pause.ms(GRACE_MS);
    }
    lost(connection, "the client closed a connection for bulk data");
  }

  /** By a reader or writer: a connection is of no more use. */
  void lost(BulkConnection connection, String why) {
    if (lasting) {
      drop(connection);
    } else {
      lost(why);
    }
  }

  /** Nothing comes or goes any more. */
  void lost(String why) {
    if (!over) {
      over = true;
      onLoss.accept(why);
    }
  }

  /** Whether the connections of a transfer are lost, so that it begins again over others. */
  synchronized boolean hasLost(long transfer) {
    return isLost(transfer) || (losses > 0 && connections.isEmpty());
  }

  private boolean isLost(long transfer) {
    return untold || transfer <= lastLost;
  }

  /** Whether there is a connection. */
  synchronized boolean isThere() {
    return !connections.isEmpty();
  }

  /** The pieces that one had are gone, so that all that is under way is; others come together. */
  private void drop(BulkConnection gone) {
    if (dropAllOf(gone)) {
      onDrop.accept(lastLost());
    }
  }

  private synchronized boolean dropAllOf(BulkConnection gone) {
    boolean first = connections.contains(gone);
    if (first) {
      untold = true;
      dropAll(latest);
    }
    return first;
  }

  private synchronized long lastLost() {
    return lastLost;
  }

  /** The client has lost them, or knows that this side has. */
  public synchronized void lostByClient(long transfer) {
    untold = false;
    dropAll(transfer);
  }

  /** Ends all connections, and what is under way over them. */
  synchronized void dropAll() {
    dropAll(latest);
  }

  /** The same for transfers up to this one. */
  private synchronized void dropAll(long transfer) {
    lastLost = Math.max(lastLost, transfer);
    finished = Math.max(finished, lastLost);
    losses++;
    connections.forEach(BulkConnection::end);
    connections.clear();
    drain(arrived, buffers::give);
    drain(leaving, piece -> piece.sent().run());
    notifyAll();
  }
}
