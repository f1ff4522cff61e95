// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SessionFiguresTest {
  @Test
  void whatHasComeSinceIsWhatIsMore() {
    SessionFigures before = new SessionFigures(1, 20, 300);
    SessionFigures more = new SessionFigures(4, 50, 600);
    assertEquals(more, before.plus(more).since(before));
    assertEquals(SessionFigures.NOTHING, before.since(more), "nobody counts backwards");
  }
}
