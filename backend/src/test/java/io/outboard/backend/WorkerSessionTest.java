// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.Sockets;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkerSessionTest {
  private static final int ANSWER = Frame.FLAG_ANSWER;

  private final FakeLibrary library = new FakeLibrary();
  private RawClient client;
  private WorkerSession session;
  private SharedPage page;

  @BeforeEach
  void open() throws IOException {
    int[] pair = new int[2];
    assertEquals(0, Sockets.socketpair(pair));
    page = SharedPage.create();
    client = new RawClient(pair[0]);
    session = new WorkerSession(new Connection(pair[1], page), 5, "software", page);
    session.serve(List.of(library), new int[] {FakeLibrary.NUMBER});
  }

  @AfterEach
  void close() throws InterruptedException {
    library.permits.release(1 << 20);
    session.end("the test is over", true);
    session.free();
    client.close();
    page.close();
  }

  @Test
  void answers() {
    long sequence = client.call(FakeLibrary.ECHO, ANSWER, 0, 3, 11, 22);
    RawClient.Received reply = client.receive();
    assertEquals(Frame.KIND_REPLY, reply.kind());
    assertEquals(sequence, reply.sequence());
    assertEquals(3, reply.thread());
    assertEquals(11, reply.word(0));
    assertEquals(22, reply.word(1));
    assertEquals(1, page.calls());
  }

  @Test
  void anUnknownCallIsNotSupported() {
    client.call(999, ANSWER, 0, 1);
    assertEquals(FakeLibrary.NOT_SUPPORTED, client.receive().result());
    client.call(FakeLibrary.ECHO, ANSWER, 0, 1);
    assertEquals(0, client.receive().result());
  }

  @Test
  void aBlockingCallHoldsNobodyUp() {
    long waiting = client.call(FakeLibrary.WAIT, ANSWER, 1, 1, 42);
    client.call(FakeLibrary.POST, 0, 1, 2, 7);
    long other = client.call(FakeLibrary.ECHO, ANSWER, 1, 2, 8);
    assertEquals(other, client.receive().sequence());
    assertEquals(List.of(7L), library.noted);
    assertFalse(client.comes(50));
    library.permits.release();
    RawClient.Received late = client.receive();
    assertEquals(waiting, late.sequence());
    assertEquals(42, late.word(0));
  }

  @Test
  void manyBlockingCallsAtATime() {
    Set<Long> expected = new HashSet<>();
    for (int thread = 1; thread <= 50; thread++) {
      expected.add(client.call(FakeLibrary.WAIT, ANSWER, 0, thread, thread));
    }
    library.permits.release(50);
    for (int i = 0; i < 50; i++) {
      RawClient.Received reply = client.receive();
      assertEquals(reply.thread(), reply.word(0));
      assertTrue(expected.remove(reply.sequence()));
    }
  }

  @Test
  void aBodyOfABlockingCallIsKept() {
    byte[] large = new byte[Limits.CHUNK];
    new Random(1).nextBytes(large);
    client.call(FakeLibrary.WAIT, ANSWER, large);
    client.call(FakeLibrary.ECHO, ANSWER, 0, 2, 1);
    assertEquals(1, client.receive().word(0));
    library.permits.release();
    assertArrayEquals(large, client.receive().body());
  }

  @Test
  void aPostedCallThatFailsIsReportedOnceInItsLane() {
    client.call(FakeLibrary.POST, 0, 2, 1, -700);
    client.call(FakeLibrary.POST, 0, 2, 1, -701);
    client.call(FakeLibrary.ECHO, ANSWER, 1, 1, 5);
    assertEquals(0, client.receive().result());
    client.call(999, ANSWER, 2, 1);
    assertEquals(FakeLibrary.NOT_SUPPORTED, client.receive().result());
    client.call(FakeLibrary.ECHO, ANSWER, 2, 1, 5);
    RawClient.Received told = client.receive();
    assertEquals(700, told.result());
    assertEquals(0, told.body().length);
    client.call(FakeLibrary.ECHO, ANSWER, 2, 1, 5);
    assertEquals(0, client.receive().result());
  }

  @Test
  void aCallThatStallsLosesTheLead() {
    client.call(FakeLibrary.STALL, ANSWER, 1, 1, 1);
    client.call(FakeLibrary.POST, 0, 1, 2, 2);
    long free = client.call(FakeLibrary.ECHO, ANSWER, 0, 3, 9);
    assertEquals(free, client.receive().sequence());
    assertEquals(List.of(), library.noted);
    library.permits.release();
    assertEquals(0, client.receive().result());
    client.call(FakeLibrary.ECHO, ANSWER, 1, 2, 9);
    assertEquals(0, client.receive().result());
    assertEquals(List.of(1L, 2L), library.noted);
  }

  @Test
  void aLaneIsIssuedInOrderAroundStalls() {
    for (int i = 0; i < 600; i++) {
      client.call(i % 100 == 50 ? FakeLibrary.STALL_POST : FakeLibrary.POST, 0, 1, 1, i);
    }
    library.permits.release(6);
    client.call(FakeLibrary.ECHO, ANSWER, 1, 1, 0);
    assertEquals(0, client.receive().result());
    assertEquals(LongStream.range(0, 600).boxed().toList(), library.noted);
  }

  @Test
  void noLaneWaitsBehindAnother() {
    client.call(FakeLibrary.POST, 0, 1, 1, 1);
    client.call(FakeLibrary.POST, 0, 2, 2, 2);
    client.call(FakeLibrary.STALL_POST, 0, 1, 1, 3);
    client.call(FakeLibrary.POST, 0, 1, 1, 4);
    for (int i = 0; i < 100; i++) {
      client.call(FakeLibrary.POST, 0, 2, 2, 100 + i);
    }
    client.call(FakeLibrary.ECHO, ANSWER, 2, 2, 0);
    assertEquals(0, client.receive().result());
    assertFalse(library.noted.contains(3L));
    assertTrue(library.noted.contains(199L));
    library.permits.release();
    client.call(FakeLibrary.ECHO, ANSWER, 1, 1, 0);
    assertEquals(0, client.receive().result());
    assertEquals(List.of(3L, 4L), library.noted.subList(102, 104));
  }

  @Test
  void anOrderedCallIsABarrier() {
    client.call(FakeLibrary.POST, 0, 1, 1, 1);
    client.call(FakeLibrary.POST, 0, 2, 2, 2);
    client.call(FakeLibrary.STALL_POST, 0, 1, 1, 3);
    client.call(FakeLibrary.POST, Frame.FLAG_ORDERED, 2, 2, 4);
    client.call(FakeLibrary.POST, 0, 3, 3, 5);
    client.call(FakeLibrary.ECHO, ANSWER, 3, 3, 0);
    assertFalse(client.comes(50));
    library.permits.release();
    assertEquals(0, client.receive().result());
    assertEquals(List.of(3L, 4L, 5L), library.noted.subList(2, 5));
  }

  @Test
  void aPayloadBelongsToItsThread() {
    byte[] part = new byte[Limits.CHUNK];
    Arrays.fill(part, (byte) 1);
    client.payload(1, part);
    client.payload(2, new byte[] {5, 5, 5});
    client.payload(1, part);
    client.call(FakeLibrary.SUM, ANSWER | Frame.FLAG_PAYLOAD, 0, 2);
    RawClient.Received small = client.receive();
    assertEquals(15, small.word(0));
    assertEquals(3, small.word(1));
    client.call(FakeLibrary.SUM, ANSWER | Frame.FLAG_PAYLOAD, 0, 1);
    assertEquals(2L * Limits.CHUNK, client.receive().word(0));
    client.call(FakeLibrary.SUM, ANSWER | Frame.FLAG_PAYLOAD, 0, 1);
    assertNull(client.receive());
  }

  @Test
  void aClientThatDoesNotReadCanStillWrite() {
    byte[] body = new byte[64 << 10];
    for (int i = 0; i < 64; i++) {
      client.call(FakeLibrary.ECHO, ANSWER, body);
    }
    for (int i = 0; i < 64; i++) {
      assertEquals(body.length, client.receive().body().length);
    }
  }

  @Test
  void pingAndThreadEnd() {
    client.control(Frame.KIND_THREAD_END, 12);
    client.control(Frame.KIND_PING, 0);
    assertEquals(Frame.KIND_PONG, client.receive().kind());
    assertEquals(List.of(12), library.endedThreads);
  }

  @Test
  void goodbye() throws InterruptedException {
    client.control(Frame.KIND_GOODBYE, 0);
    assertEquals("the client said goodbye", session.await().cause());
    assertNull(client.receive());
  }

  @Test
  void whoBreaksTheProtocolLosesTheSession() throws InterruptedException {
    client.call(FakeLibrary.BREAK, ANSWER, 0, 1);
    assertEquals("the client broke the protocol: broken", session.await().cause());
    assertNull(client.receive());
  }

  @Test
  void aClientThatGoesEndsTheSession() throws InterruptedException {
    Sockets.shutdown(client.socket(), Sockets.SHUT_RDWR);
    assertEquals("the client has gone", session.await().cause());
  }
}
