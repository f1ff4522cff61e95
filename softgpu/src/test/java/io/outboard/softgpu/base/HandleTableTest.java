// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HandleTableTest {
  private static final class Thing extends Handled {}

  private static final class Other extends Handled {}

  private final HandleTable table = new HandleTable();

  @Test
  void findsWhatWasAdded() {
    Thing thing = new Thing();
    assertTrue(table.add(thing));
    assertSame(thing, table.get(thing.handle(), Thing.class));
    assertNull(table.get(thing.handle(), Other.class));
    assertNull(table.get(thing.handle() + 1, Thing.class));
    assertTrue(thing.handle() > 2);
  }

  @Test
  void refusesWhatItNeverGave() {
    for (long wrong : new long[] {0, 1, 2, 15, 16, 300, -1, Long.MIN_VALUE, 0xdead_beef_0000L}) {
      assertNull(table.get(wrong, Handled.class));
    }
  }

  @Test
  void neverGivesAValueTwice() {
    Set<Long> given = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      Thing thing = new Thing();
      assertTrue(table.add(thing));
      assertTrue(given.add(thing.handle()));
      assertTrue(table.remove(thing));
      assertFalse(table.remove(thing));
      assertNull(table.get(thing.handle(), Thing.class));
    }
    long highestIndex = given.stream().mapToLong(h -> h & 0xff_ffff).max().orElseThrow();
    assertTrue(highestIndex < 2000, "places are used again");
    assertEquals(10_000, given.size());
  }
}
