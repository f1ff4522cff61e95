// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static io.outboard.testkit.ToySession.longs;
import static io.outboard.testkit.ToySession.memory;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.outboard.wire.Dispatcher;
import io.outboard.wire.Handles;
import io.outboard.wire.Native;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Handles, streams, transfers and callbacks through client, dispatcher and driver. */
@ParameterizedClass
@EnumSource(ToyClient.class)
class ToyObjectsTest {
  private final ToySession session;
  private final Toy toy;
  private final long out = memory(8);

  ToyObjectsTest(ToyClient client) {
    session = client.session();
    toy = session.toy;
  }

  @AfterEach
  void bothLogsAreEqual() {
    session.log.check();
  }

  @Test
  void aHandleLivesFromCreateToDestroy() {
    long buffer = session.buffer(100);
    assertEquals(ToyKinds.BUFFER, Handles.kind(buffer));
    assertEquals(0, toy.toyBufferSize(buffer, out));
    assertEquals(100, Native.getLong(out));
    assertEquals(0, toy.toyBufferDestroy(buffer));
    assertEquals(ToyResult.INVALID_BUFFER, toy.toyBufferSize(buffer, out));
    assertEquals(ToyResult.INVALID_BUFFER, toy.toyBufferDestroy(buffer));
    assertEquals(0, session.caller.handles().live());
  }

  @Test
  void aFailedCreateLeavesNothing() {
    Native.putLong(out, 77);
    assertEquals(ToyResult.OUT_OF_MEMORY, toy.toyBufferCreate(out, 1L << 40));
    assertEquals(77, Native.getLong(out));
    assertEquals(ToyResult.INVALID_VALUE, toy.toyBufferCreate(0, 1));
    assertEquals(0, session.caller.handles().live());
  }

  @Test
  void wrongHandlesAreTheKindsError() {
    long buffer = session.buffer(1);
    long stream = session.stream();
    assertEquals(ToyResult.INVALID_BUFFER, toy.toyBufferSize(stream, out));
    assertEquals(ToyResult.INVALID_BUFFER, toy.toyBufferSize(0, out));
    assertEquals(ToyResult.INVALID_BUFFER, toy.toyBufferSize(buffer + 1, out));
    assertEquals(ToyResult.INVALID_STREAM, toy.toyWait(buffer));
    assertEquals(ToyResult.INVALID_STREAM, toy.toyWait(3));
    assertEquals(ToyResult.INVALID_NODE, toy.toyNext(longs(buffer)));
    assertEquals(ToyResult.INVALID_BUFFER, toy.toyMeasure(longs(buffer, stream), 2, out));
  }

  @Test
  void foundHandlesAreTheSameEachTimeAndDieWithTheirOwner() {
    long buffer = session.buffer(1);
    long node = session.node(buffer, 1);
    assertEquals(ToyKinds.NODE, Handles.kind(node));
    assertEquals(node, session.node(buffer, 1));
    assertNotEquals(node, session.node(buffer, 2));
    assertEquals(buffer, session.caller.handles().parent(node));
    assertEquals(0, session.node(buffer, 99));
    assertEquals(0, toy.toyBufferDestroy(buffer));
    assertEquals(ToyResult.INVALID_NODE, toy.toyNext(longs(node)));
  }

  @Test
  void handlesInArrays() {
    long buffer = session.buffer(100);
    long nodes = memory(48);
    assertEquals(0, toy.toyNodes(nodes, 6, buffer));
    assertEquals(session.node(buffer, 3), Native.getLong(nodes + 24));
    assertEquals(0, Native.getLong(nodes + 32));
    long objects = longs(buffer, Native.getLong(nodes + 8), Native.getLong(nodes + 16));
    assertEquals(0, toy.toyMeasure(objects, 3, out));
    assertEquals(100 + 1 + 2, Native.getLong(out));
    assertEquals(0, toy.toyNextAll(nodes, 2));
    assertEquals(session.node(buffer, 2), Native.getLong(nodes + 8));
  }

  @Test
  void aHandleBothWays() {
    long buffer = session.buffer(1);
    long node = longs(session.node(buffer, 0));
    assertEquals(0, toy.toyNext(node));
    assertEquals(session.node(buffer, 1), Native.getLong(node));
    assertEquals(0, toy.toyNext(0));
  }

  @Test
  void aMintedHandleHasAnOwner() {
    long buffer = session.buffer(1);
    assertEquals(0, toy.toyNodeCreate(out, buffer));
    long node = Native.getLong(out);
    assertEquals(buffer, session.caller.handles().parent(node));
    assertEquals(node, session.node(buffer, ToyDriver.NODES));
  }

  @Test
  void specialStreamsPass() {
    for (long stream : new long[] {-1, 0, 1, 2, session.stream()}) {
      assertEquals(0, toy.toyPost(stream, (int) stream + 10));
      assertEquals(0, toy.toyLast(stream, out));
      assertEquals((int) stream + 10, Native.getInt(out));
    }
  }

  @Test
  void answeringClasses() {
    ToyDispatcher dispatcher = new ToyDispatcher(session.driver);
    assertEquals(Dispatcher.ASYNC, dispatcher.answering(31));
    assertEquals(Dispatcher.BLOCKING, dispatcher.answering(33));
    assertEquals(Dispatcher.PLAIN, dispatcher.answering(14));
    assertEquals(Dispatcher.UNKNOWN, dispatcher.answering(19));
    assertEquals(Dispatcher.UNKNOWN, dispatcher.answering(-1));
    assertEquals(Dispatcher.UNKNOWN, dispatcher.answering(1 << 20));
    assertEquals(60, dispatcher.level());
    assertEquals("toyPost", ToyTable.name(31));
  }

  @Test
  void transfersOfAnySize() {
    for (int bytes : new int[] {0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20}) {
      transfer(bytes);
    }
  }

  private void transfer(int bytes) {
    long buffer = session.buffer(bytes);
    assertEquals(0, toy.toyBufferAddress(buffer, out));
    long device = Native.getLong(out);
    long from = memory(bytes);
    Random random = new Random(bytes);
    for (int i = 0; i < bytes; i++) {
      Native.putByte(from + i, (byte) random.nextInt());
    }
    long to = memory(bytes + 1);
    int calls = session.caller.calls();
    assertEquals(0, toy.toyUpload(device, from, bytes));
    assertEquals(Math.max(1, (bytes + (1 << 20) - 1) >> 20), session.caller.calls() - calls);
    assertEquals(0, toy.toyDownload(to, device, bytes));
    assertEquals(-1, mismatch(from, to, bytes));
    assertEquals(0x5a, Native.getByte(to + bytes));
    Native.fill(from, bytes, (byte) 7);
    assertEquals(0, toy.toyUploadAsync(device, from, bytes, 0));
    assertEquals(0, toy.toyDownload(to, device, bytes));
    assertEquals(-1, mismatch(from, to, bytes));
    assertEquals(ToyResult.INVALID_VALUE, toy.toyDownload(to, device, bytes + 1));
  }

  private static long mismatch(long left, long right, long bytes) {
    return Native.MEMORY.asSlice(left, bytes).mismatch(Native.MEMORY.asSlice(right, bytes));
  }

  @Test
  void aTransferOfNothingKnownIsTheDriversError() {
    assertEquals(ToyResult.INVALID_VALUE, toy.toyUpload(0x1000, memory(8), 8));
    assertEquals(ToyResult.INVALID_VALUE, toy.toyUpload(0x1000, 0, 8L << 20));
  }

  @Test
  void aFunctionOfTheClientBecomesTheTrampoline() {
    byte[] body = new byte[16];
    body[8] = 9;
    assertEquals(0, session.caller.send(37, body, new byte[0]));
    assertEquals(LoopbackCall.TRAMPOLINE, session.driver.callback());
    assertEquals(9, session.driver.callbackData());
    assertEquals(0, toy.toyRun(0, 0, 5));
    assertEquals(0, session.driver.callback());
  }

  @Test
  void unknownCallsAreNotSupported() {
    for (int number : new int[] {-1, 0, 19, 61, 64, 65_535}) {
      assertEquals(ToyResult.NOT_SUPPORTED, session.caller.send(number, new byte[8], new byte[0]));
    }
  }
}
