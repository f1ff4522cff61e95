// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BacklogTest {
  private static final int ADDRESS = 4096;

  private final ClientFunctions functions = new ClientFunctions(_ -> {});

  private static int posted(Backlog backlog, int bytes) {
    int calls = 0;
    while (!backlog.isFull(bytes)) {
      calls++;
    }
    return calls;
  }

  @Test
  void isFullOnlyWhereAFunctionMayBeAskedFor() {
    Backlog backlog = new Backlog(functions, () -> 1);
    for (int call = 0; call < 2000; call++) {
      assertFalse(backlog.isFull(1 << 20));
    }
    functions.keep(ADDRESS, 0, 0, true);
    assertEquals(512, posted(backlog, 8));
    assertTrue(backlog.isFull(8));
    backlog.answered();
    assertEquals(8, posted(backlog, 1 << 20));
  }

  @Test
  void threadsShareTheRoom() {
    functions.keep(ADDRESS, 0, 0, false);
    assertEquals(256, posted(new Backlog(functions, () -> 2), 8));
  }
}
