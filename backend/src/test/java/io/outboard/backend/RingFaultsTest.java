// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.session.Connection;
import io.outboard.backend.session.WorkerSession;
import io.outboard.backend.system.SharedPage;
import io.outboard.backend.warmup.StreamPair;
import io.outboard.testkit.Amount;
import io.outboard.wire.Frame;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Region;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that breaks the rules of shared memory harms its own session only. */
@Timeout(3600)
class RingFaultsTest {
  private static final int CALLS = 30;

  private final Random random = new Random(20261121);

  @ParameterizedTest
  @EnumSource(names = {"SHM", "IVSHMEM"})
  void positionsAndWordsMayBeAnything(Medium medium) throws Exception {
    for (int i = 0; i < Amount.of(20, 2_000); i++) {
      breakOne(medium);
    }
  }

  private void breakOne(Medium medium) throws IOException, InterruptedException {
    StreamPair ends = medium.open();
    FakeLibrary library = new FakeLibrary();
    try (SharedPage page = SharedPage.create();
        DamagedCaller caller = new DamagedCaller(ends.client(), random, Integer.MAX_VALUE)) {
      WorkerSession session =
          new WorkerSession(new Connection(ends.backend(), page), 1, "software", page);
      session.serve(WorkerLibraries.of(FakeService.NAME, FakeLibrary.NUMBER, library));
      echo(caller);
      for (int i = 0; i < CALLS && !session.isOver(); i++) {
        spoil(ends.memory());
        post(caller);
      }
      caller.end();
      String cause = session.await().cause();
      session.free();
      assertFalse(cause.startsWith("internal"), cause);
    }
  }

  private static void echo(DamagedCaller caller) {
    assertEquals(0, caller.begin(FakeLibrary.NUMBER, FakeLibrary.ECHO, 8).send(Frame.FLAG_ANSWER));
  }

  /** Does not wait: the spoilt frame may be the one that would wake this thread. */
  private static void post(DamagedCaller caller) {
    try {
      caller.begin(FakeLibrary.NUMBER, FakeLibrary.SINK, 8).send(0);
    } catch (ProtocolException e) {
      // This side has seen what it did itself.
      caller.end();
    }
  }

  private void spoil(long memory) {
    long at = memory + Medium.WORDS[random.nextInt(Medium.WORDS.length)];
    long word = Native.getLong(at);
    switch (random.nextInt(4)) {
      case 0 -> Native.putLong(at, random.nextLong());
      case 1 -> Native.putLong(at, word + 8L * random.nextInt(20_000));
      case 2 -> Native.putLong(at, word - 8L * random.nextInt(20_000));
      default ->
          Native.putLong(memory + Region.HEAD + 8L * random.nextInt(8192), random.nextLong());
    }
  }
}
