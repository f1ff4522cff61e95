// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.ByteStream;
import io.outboard.communicator.Errno;
import io.outboard.communicator.Posix;
import io.outboard.communicator.RingStream;
import io.outboard.communicator.SharedMemory;
import io.outboard.communicator.SocketStream;
import io.outboard.communicator.Sockets;
import io.outboard.wire.RegionOffer;
import java.io.IOException;

/** A session and its client within one process. */
final class RehearsalStage implements AutoCloseable {
  private static final RegionOffer RINGS = RegionOffer.of(64 << 10, 0, 0);
  private static final int F_DUPFD_CLOEXEC = 1030;

  private final SharedPage page;
  private final WorkerSession session;
  private final LibraryInstance instance;
  private final StageCaller caller;
  private final RehearsalPiece.Part part;

  private RehearsalStage(RehearsalPiece piece, ByteStream client, ByteStream backend)
      throws IOException {
    page = SharedPage.create();
    session = new WorkerSession(new Connection(backend, page), 0, "rehearsal", page);
    instance = piece.open(session);
    session.serve(WorkerLibraries.of("rehearsal", piece.number(), instance));
    caller = new StageCaller(client);
    part = piece.begin(caller, caller::lane);
  }

  /** A session over a pair of sockets. */
  static RehearsalStage overSockets(RehearsalPiece piece) throws IOException {
    int[] pair = sockets();
    return new RehearsalStage(piece, new SocketStream(pair[0]), new SocketStream(pair[1]));
  }

  /** A session over rings in shared memory. */
  static RehearsalStage overRings(RehearsalPiece piece) throws IOException {
    int[] pair = sockets();
    SharedMemory backend = SharedMemory.create(RINGS);
    int copy = Posix.fcntl(backend.descriptor(), F_DUPFD_CLOEXEC, 0);
    SharedMemory client = SharedMemory.map(copy, RINGS);
    return new RehearsalStage(
        piece, RingStream.client(client, pair[0]), RingStream.backend(backend, pair[1]));
  }

  private static int[] sockets() throws IOException {
    int[] pair = new int[2];
    Errno.check(Sockets.socketpair(pair), "socketpair");
    return pair;
  }

  /** Takes every way through the dispatcher once. */
  void tryEverything() {
    EveryNumber.dispatch(instance.dispatcher());
  }

  /** Plays the piece once; false if the session has ended or a call failed. */
  boolean play() {
    return part.play() && !caller.over();
  }

  @Override
  public void close() {
    session.end("the rehearsal is over", true);
    try {
      session.free();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    caller.close();
    page.close();
  }
}
