// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static io.outboard.testkit.ToySession.memory;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.wire.Native;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the C stubs alone. */
class CToyTest {
  private final ToySession session = ToyClient.C.session();
  private final Toy toy = session.toy;

  @AfterEach
  void bothLogsAreEqual() {
    session.log.check();
  }

  @Test
  void aFunctionOfTheClientIsRegistered() {
    assertEquals(0, toy.toyRun(0, 0x1000, 5));
    assertEquals(LoopbackCall.TRAMPOLINE, session.driver.callback());
    assertEquals(0x1005, session.driver.callbackData());
  }

  @Test
  void aDeadHandleOfAPostedCallIsFoundAtOnce() {
    int calls = session.caller.calls();
    assertEquals(ToyResult.INVALID_STREAM, toy.toyPost(0x1234, 5));
    assertEquals(calls, session.caller.calls());
  }

  @Test
  void endedAndUnmadeHandlesAreRetired() {
    long buffer = session.buffer(1);
    assertEquals(0, toy.toyBufferDestroy(buffer));
    assertEquals(buffer, CToy.retired());
    assertEquals(ToyResult.OUT_OF_MEMORY, toy.toyBufferCreate(memory(8), 1L << 40));
    assertEquals(session.caller.mint(ToyKinds.BUFFER) - 1, CToy.retired());
  }

  @Test
  void variantsSayPerThread() {
    assertEquals(0, CToy.post("toyPost_ptsz", 0, 7));
    assertEquals(0, CToy.post("toyPost", 0, 8));
    long last = memory(4);
    assertEquals(0, toy.toyLast(2, last));
    assertEquals(7, Native.getInt(last));
    assertEquals(0, toy.toyLast(0, last));
    assertEquals(8, Native.getInt(last));
  }

  @Test
  void whatIsNotDescribedIsRefused() {
    assertEquals(ToyResult.NOT_SUPPORTED, CToy.post("toyGone", 1, 2));
  }

  @Test
  void aFunctionThatTheLibraryLacksIsNotSupported() {
    long year = memory(4);
    CToy bound = (CToy) toy;
    assertFalse(bound.has(16));
    assertEquals(ToyResult.NOT_SUPPORTED, toy.toyFuture(year));
    assertTrue(bound.has(1));
    assertTrue(bound.has(15));
    assertFalse(bound.has(19));
    assertEquals(0, ToyClient.JVM.session().toy.toyFuture(year));
    assertEquals(ToyDriver.FUTURE, Native.getInt(year));
  }

  @Test
  void aProcessHasOneLibrary() {
    assertThrows(
        IllegalStateException.class,
        () ->
            new ToyNative(name -> Optional.empty()) {
              @Override
              public int toyImage(long image, long length) {
                return ToyResult.NOT_SUPPORTED;
              }
            });
  }
}
