// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.lease.testkit.Sample;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class LeaseCursorTest {
  private static LeaseCursor cursor(boolean over, long second, String id) {
    return new LeaseCursor(over, Sample.NOON.plusSeconds(second), id);
  }

  @Test
  void thoseThatLiveAreFirstAndTheOldest() {
    List<LeaseCursor> order =
        List.of(
            cursor(false, 1, "a"),
            cursor(false, 1, "b"),
            cursor(false, 2, "a"),
            cursor(true, 9, "a"),
            cursor(true, 9, "b"),
            cursor(true, 8, "a"));
    assertEquals(order, order.reversed().stream().sorted().toList());
  }

  @Test
  void itsTextIsReadAgain() {
    for (LeaseCursor one : List.of(cursor(false, 0, "0123456789ab"), cursor(true, -9, "a-b"))) {
      assertEquals(one, LeaseCursor.parse(one.toString()));
    }
  }

  @Test
  void anythingElseIsRefused() {
    for (String wrong :
        List.of("", "x1-a", "a1", "o-", "a1-", "a1" + "0".repeat(15) + "-a", "o--1-a", "a+1-a")) {
      assertThrows(IllegalArgumentException.class, () -> LeaseCursor.parse(wrong), wrong);
    }
  }

  @Test
  void aPageNamesTheNextOnlyWhereThereIsOne() {
    List<Lease> all =
        Stream.of("a", "b", "c")
            .map(id -> Sample.holding(id, Sample.whole("t", 1), Sample.gpus(1)))
            .toList();
    assertEquals(Optional.empty(), LeasePage.of(all, 3).next());
    LeasePage page = LeasePage.of(all, 2);
    assertEquals(all.subList(0, 2), page.leases());
    assertEquals(Optional.of(LeaseCursor.of(all.get(1))), page.next());
    LeaseQuery rest = new LeaseQuery("t", false, page.next(), 2);
    assertEquals(all.subList(2, 3), all.stream().filter(rest::wants).toList());
  }
}
