// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The client for the JVM keeps a function and sends its number. */
class ToyRemoteTest {
  @Test
  void aFunctionTravelsAsANumber() {
    ToySession session = ToyClient.JVM.session();
    assertEquals(0, session.toy.toyRun(0, 9, 5));
    assertEquals(new LoopbackCaller.Kept(9, 5, 0, false), session.caller.kept());
    assertEquals(LoopbackCall.TRAMPOLINE, session.driver.callback());
    assertEquals(9, session.driver.callbackData());
  }
}
