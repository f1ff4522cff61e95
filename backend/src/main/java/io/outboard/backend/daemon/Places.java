// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.communicator.Origin;
import io.outboard.communicator.posix.Sockets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Predicate;

/**
 * Places for connections: so many for peers of one origin, so many in all. Where there is none
 * left, the connection that has been silent for longest makes room for the next. Nothing is
 * remembered of an origin that has no connection, so that strangers cannot fill a table. Used by
 * many threads.
 */
final class Places implements AutoCloseable {
  private static final int LOOK_MS = 10;

  private final int mostOfOne;
  private final int most;
  // Those that have been silent for longest come first.
  private final SequencedSet<Place> taken = new LinkedHashSet<>();
  private boolean closed;

  /**
   * Makes them.
   *
   * @param mostOfOne for peers of one origin
   * @param most in all
   */
  Places(int mostOfOne, int most) {
    this.mostOfOne = mostOfOne;
    this.most = most;
  }

  /** A place for one connection, which the daemon waits for until it says otherwise. */
  final class Place implements AutoCloseable {
    private final Origin origin;
    private final int connection;
    private boolean silent = true;

    private Place(Origin origin, int connection) {
      this.origin = origin;
      this.connection = connection;
    }

    /** The peer has spoken: the daemon works for it, and it makes room for nobody. */
    void working() {
      synchronized (Places.this) {
        silent = false;
      }
    }

    /** The daemon waits for the peer again. */
    void waiting() {
      synchronized (Places.this) {
        silent = true;
        if (taken.remove(this)) {
          taken.add(this);
        }
        Places.this.notifyAll();
      }
    }

    private boolean isSilent() {
      return silent && !Sockets.ready(connection);
    }

    /** Frees it; to be called before the connection is closed or is somebody else's. */
    @Override
    public void close() {
      synchronized (Places.this) {
        taken.remove(this);
        Places.this.notifyAll();
      }
    }
  }

  /** A place, where there is one or a silent connection makes room; none once this is closed. */
  synchronized Optional<Place> take(Origin origin, int connection) {
    boolean room =
        !closed
            && hasRoom(place -> place.origin.equals(origin), mostOfOne)
            && hasRoom(_ -> true, most);
    if (!room) {
      return Optional.empty();
    }
    Place place = new Place(origin, connection);
    taken.add(place);
    return Optional.of(place);
  }

  /**
   * A place, as soon as there is one; none once this is closed. Nobody tells of a peer that has
   * become silent, so this looks for one now and then.
   */
  synchronized Optional<Place> await(Origin origin, int connection) {
    Optional<Place> place = take(origin, connection);
    try {
      while (place.isEmpty() && !closed) {
        wait(LOOK_MS);
        place = take(origin, connection);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closed = true;
    }
    return place;
  }

  private boolean hasRoom(Predicate<Place> among, int limit) {
    if (taken.stream().filter(among).count() < limit) {
      return true;
    }
    Optional<Place> silent = taken.stream().filter(among).filter(Place::isSilent).findFirst();
    silent.ifPresent(this::drop);
    return silent.isPresent();
  }

  /** Shuts the connection down. The thread that waits for the peer sees its end, and closes it. */
  private void drop(Place place) {
    taken.remove(place);
    Sockets.shutdown(place.connection, Sockets.SHUT_RDWR);
  }

  /** Ends all connections. */
  @Override
  public synchronized void close() {
    closed = true;
    new ArrayList<>(taken).forEach(this::drop);
    notifyAll();
  }
}
