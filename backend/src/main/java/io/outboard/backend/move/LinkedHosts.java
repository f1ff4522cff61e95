// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.backend.library.SessionContext;
import io.outboard.wire.Slot;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A session's links to other hosts that its program uses too. All that comes over any of them is
 * for this host's device, in transfers whose numbers the program's first host gives; what goes to a
 * host goes over the link to it. A link that is lost is not made again.
 */
public final class LinkedHosts {
  /** Of memory, one MiB each, for what comes and for what goes to each host. */
  private static final int PIECES = 32;

  /** A link over which so long nothing comes that is waited for is lost. */
  private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(5);

  private final Link from;
  private final List<Link> to;

  /** Connections, and what moves pieces over them. */
  private record Link(BulkConnections connections, BulkMover mover) {
    static Link lostAfter(long silenceNs) {
      BulkConnections connections = new BulkConnections(PIECES);
      connections.outlive(_ -> {});
      return new Link(connections, new BulkMover(connections, silenceNs));
    }
  }

  /** Links that are lost after so much silence. */
  LinkedHosts(long silenceNs) {
    from = Link.lostAfter(silenceNs);
    to = Stream.generate(() -> Link.lostAfter(silenceNs)).limit(Slot.MOST).toList();
  }

  /** Those of a session. */
  public static LinkedHosts of(SessionContext context) {
    return context.shared(LinkedHosts.class, () -> new LinkedHosts(SILENCE_NS));
  }

  /** The connections from all of them. */
  public BulkConnections from() {
    return from.connections;
  }

  /** The connections to the one that has a slot. */
  public BulkConnections to(int slot) {
    return to.get(slot).connections;
  }

  /** Moves what comes. */
  BulkMover receiver() {
    return from.mover;
  }

  /** Moves what goes to the one that has a slot. */
  BulkMover sender(int slot) {
    return to.get(slot).mover;
  }

  /** Ends all links. */
  public void dropAll() {
    from.connections.dropAll();
    to.forEach(link -> link.connections.dropAll());
  }

  /** All that may page-lock or copy. */
  List<BulkMover> movers() {
    return Stream.concat(Stream.of(from), to.stream()).map(Link::mover).toList();
  }
}
