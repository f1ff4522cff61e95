// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The bound of the host's memory where there are no control groups. */
final class MemoryWatchTest {
  private static final long BOUND = 64 << 20;
  private static final int KILLED = 128 + 9;

  @Test
  void whoIsBeyondTheBoundEnds() throws Exception {
    // Nobody reads what it has gathered, so that it keeps it.
    Process hungry =
        new ProcessBuilder("sh", "-c", "head -c 268435456 /dev/zero | tail; exit $?").start();
    Process modest = new ProcessBuilder("sh", "-c", "read go").start();
    try (MemoryWatch watch = new MemoryWatch()) {
      watch.add("lease1", BOUND, LongStream.of(hungry.pid(), modest.pid()));
      watch.add("lease2", BOUND, LongStream.of(Integer.MAX_VALUE));
      assertEquals(KILLED, hungry.waitFor());
      assertTrue(modest.isAlive(), "the lease is within its bound again");
    } finally {
      hungry.destroyForcibly();
      modest.destroyForcibly();
    }
  }
}
