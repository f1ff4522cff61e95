// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.offload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.code.CallsPage;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The calls of all workers of code, as each of them is told. */
final class CodeLoadTest {
  private final CodeLoad load = new CodeLoad();

  @Test
  void eachIsToldOfTheOthers() throws IOException {
    List<CallsPage> pages = List.of(load.enter(), load.enter(), load.enter());
    pages.get(0).own(1);
    pages.get(1).own(2);
    // Hostile code says what it likes, of itself alone, and no more than may run there.
    pages.get(2).own(Integer.MAX_VALUE);
    assertTrue(load.count());
    assertEquals(List.of(18, 17, 3), pages.stream().map(CallsPage::others).toList());
    pages.get(2).own(-1);
    assertTrue(load.count());
    assertEquals(List.of(2, 1, 3), pages.stream().map(CallsPage::others).toList());
    load.leave(pages.get(1));
    load.leave(pages.get(2));
    assertFalse(load.count());
    assertEquals(0, pages.get(0).others());
    load.leave(pages.get(0));
  }
}
