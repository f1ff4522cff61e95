// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.warmup;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.WarmUpScript;
import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.session.Connection;
import io.outboard.backend.session.WorkerSession;
import io.outboard.backend.slices.SessionSlices;
import io.outboard.backend.system.SharedPage;
import io.outboard.wire.RegionOffer;
import java.io.IOException;

/** A session and its client within one process. */
final class WarmUpStage implements AutoCloseable {
  /** Each with a ring: what one waits for in the others' is compiled, too. */
  private static final int THREADS = 3;

  /** So large that there is more than half of one left when a reader has read all it can. */
  private static final RegionOffer RINGS = RegionOffer.withSlots(128 << 10, THREADS, 128 << 10);

  private final SharedPage page;
  private final WorkerSession session;
  private final LibraryInstance instance;
  private final StageCaller caller;
  private final WarmUpScript.Part part;
  private int ownRings;

  private WarmUpStage(WarmUpScript piece, StreamPair streams, Allotment allotment)
      throws IOException {
    page = SharedPage.create();
    session = new WorkerSession(new Connection(streams.backend(), page), 0, "warm-up", page);
    session.context().allot(allotment);
    instance = piece.open(session.context());
    session.serve(WorkerLibraries.of("warm-up", piece.number(), instance));
    caller = new StageCaller(streams.client());
    part = piece.begin(caller, caller::lane);
  }

  /** A session over a pair of sockets. */
  static WarmUpStage overSockets(WarmUpScript piece) throws IOException {
    return new WarmUpStage(piece, StreamPair.overSockets(), Allotment.EVERYTHING);
  }

  /** A session over rings in shared memory. */
  static WarmUpStage overRings(WarmUpScript piece) throws IOException {
    return overRings(piece, Allotment.EVERYTHING);
  }

  /** As {@link #overRings(WarmUpScript)}, with a part of the devices. */
  static WarmUpStage overRings(WarmUpScript piece, Allotment allotment) throws IOException {
    return new WarmUpStage(piece, StreamPair.overRings(RINGS), allotment);
  }

  /** The same through rings that threads of the client have to themselves, in turn. */
  static WarmUpStage overRingsOfThreads(WarmUpScript piece, Allotment allotment)
      throws IOException {
    WarmUpStage stage = overRings(piece, allotment);
    while (stage.ownRings < THREADS && stage.caller.openRing()) {
      stage.ownRings++;
    }
    return stage;
  }

  /** Whether its calls go through rings of threads. */
  boolean hasOwnRings() {
    return ownRings == THREADS;
  }

  /** Takes every way through the dispatcher once. */
  void tryEverything() {
    EveryNumber.dispatch(instance.dispatcher());
  }

  /** Plays the piece once; false if the session has ended or a call failed. */
  boolean play() {
    caller.takeTurns();
    return part.play() && !caller.isOver();
  }

  @Override
  public void close() {
    session.end("the warm-up is over", true);
    try {
      session.free();
      SessionSlices.of(session.context()).end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    caller.close();
    page.close();
  }
}
