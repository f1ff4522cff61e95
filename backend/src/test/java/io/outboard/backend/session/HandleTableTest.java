// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.outboard.wire.Handles;
import org.junit.jupiter.api.Test;

/** Which handle owns which, and ends with it. */
final class HandleTableTest {
  private static final int KIND = 3;
  private static final long ALL = -1;

  private final HandleTable table = new HandleTable(1);
  private long values;

  private long adopt(long parent) {
    return table.adopt(KIND, ++values, parent);
  }

  private void isAlive(long handle, boolean alive) {
    assertEquals(alive, table.resolve(handle, ALL) != Handles.INVALID);
  }

  @Test
  void aHandleThatIsGivenEndsWithItsNewOwner() {
    long first = adopt(0);
    long second = adopt(0);
    long before = adopt(first);
    long given = adopt(first);
    long after = adopt(first);
    long under = adopt(given);
    table.give(given, second);
    table.release(first);
    isAlive(before, false);
    isAlive(after, false);
    isAlive(given, true);
    isAlive(under, true);
    table.release(second);
    isAlive(given, false);
    isAlive(under, false);
    assertEquals(0, table.live());
  }

  @Test
  void aHandleIsNotGivenToWhatItOwns() {
    long first = adopt(0);
    long under = adopt(first);
    table.give(first, under);
    table.give(first, first);
    table.release(first);
    assertEquals(0, table.live());
  }

  @Test
  void aHandleThatIsGivenToNothingStaysWithItsOwner() {
    long first = adopt(0);
    long under = adopt(first);
    table.give(under, 0);
    assertNotEquals(Handles.INVALID, table.resolve(under, ALL));
    table.release(first);
    isAlive(under, false);
  }
}
