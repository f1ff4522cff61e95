// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.backend.suspend.SuspensionException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A worker's words about its calls; it counts as hostile. */
final class SessionCallsTest {
  @Test
  void itsWordsAreRead() throws SuspensionException {
    assertEquals(new SessionCalls(false, ""), SessionCalls.of("idle "));
    assertEquals(
        new SessionCalls(true, "cuInit 1 cuMemAlloc_v2 27"),
        SessionCalls.of("busy cuInit 1 cuMemAlloc_v2 27"));
  }

  @Test
  void othersAreRefused() {
    for (String words :
        List.of(
            "",
            "busier ",
            "idle cuInit",
            "idle cuInit -1",
            "idle cuInit 1 cuInit",
            "idle \u001b[2J 1",
            "idle " + "x".repeat(65) + " 1",
            "idle cuInit " + "9".repeat(19),
            "idle a 1 b 1 c 1 d 1 e 1 f 1")) {
      assertThrows(SuspensionException.class, () -> SessionCalls.of(words), words);
    }
  }
}
