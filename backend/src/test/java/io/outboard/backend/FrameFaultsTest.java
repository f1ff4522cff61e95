// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Damaged frames, among good ones, to a session with a device: they end the session at most, as a
 * breach of the protocol. A failure inside this process, or a session that hangs, is a defect.
 */
@Timeout(7200)
class FrameFaultsTest {
  private static final int SESSIONS_OF_A_DEVICE = 500;

  private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void close() {
    watch.shutdownNow();
  }

  @ParameterizedTest
  @EnumSource
  void damagedFramesEndTheSessionAtMost(Medium medium) throws Exception {
    Random random = new Random(medium.name().hashCode());
    int wanted = medium.damagedFrames();
    DamagedSessions sessions = new DamagedSessions(medium, random, watch);
    int count = 0;
    for (int damaged = 0; damaged < wanted; damaged += sessions.one()) {
      if (++count % SESSIONS_OF_A_DEVICE == 0) {
        sessions = new DamagedSessions(medium, random, watch);
      }
    }
  }
}
