// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;

/** The common part of tests of connections. */
final class Connections {
  private Connections() {}

  /** Checks that bytes go both ways. */
  static void exchange(int one, int other) {
    try (Arena arena = Arena.ofConfined()) {
      long room = arena.allocate(16, 8).address();
      for (int[] way : new int[][] {{one, other}, {other, one}}) {
        Native.putLong(room, 4711);
        assertEquals(8, Posix.write(way[0], room, 8));
        assertEquals(8, Posix.read(way[1], room + 8, 8));
        assertEquals(4711, Native.getLong(room + 8));
      }
    }
  }
}
