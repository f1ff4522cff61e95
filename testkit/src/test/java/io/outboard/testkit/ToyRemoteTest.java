// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.wire.Native;
import org.junit.jupiter.api.Test;

/** Tests of the client for the JVM alone. */
class ToyRemoteTest {
  @Test
  void aFunctionTravelsAsANumber() {
    ToySession session = ToyClient.JVM.session();
    assertEquals(0, session.toy.toyRun(0, 9, 5));
    assertEquals(new LoopbackCaller.Kept(9, 5, 0, false), session.caller.kept());
    assertEquals(LoopbackCall.TRAMPOLINE, session.driver.callback());
    assertEquals(9, session.driver.callbackData());
  }

  @Test
  void perThreadFormsSaySo() {
    ToySession session = ToyClient.JVM.session();
    Toy own = new ToyRemote(session.caller, true);
    assertEquals(0, session.toy.toyPost(0, 5));
    assertEquals(0, own.toyPost(0, 6));
    assertEquals(5, last(session.toy, 0));
    assertEquals(6, last(session.toy, 2));
    assertEquals(6, last(own, 0));
  }

  private static int last(Toy toy, long stream) {
    long last = ToySession.memory(Integer.BYTES);
    assertEquals(0, toy.toyLast(stream, last));
    return Native.getInt(last);
  }
}
