// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.outboard.backend.FakeLibrary;
import io.outboard.backend.FakeService;
import io.outboard.backend.RawClient;
import io.outboard.backend.StandIn;
import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.system.SharedPage;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.SocketStream;
import io.outboard.testkit.ToyResult;
import io.outboard.testkit.ToyTable;
import io.outboard.wire.Bytes;
import io.outboard.wire.Frame;
import io.outboard.wire.Hello;
import io.outboard.wire.Limits;
import io.outboard.wire.Message;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    session =
        new WorkerSession(new Connection(new SocketStream(pair[1]), page), 5, "software", page);
    session.serve(WorkerLibraries.of(FakeService.NAME, FakeLibrary.NUMBER, library));
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
  void theFunctionsThatWereCalledMostAreKnown() {
    for (int number : new int[] {FakeLibrary.ECHO, FakeLibrary.ECHO, 999}) {
      client.call(number, ANSWER, 0, 1, 5);
      client.receive();
    }
    client.call(FakeLibrary.POST, 0, 1, 1, 0);
    client.call(FakeLibrary.ECHO, ANSWER, 0, 1, 5);
    client.receive();
    String most = "fake" + FakeLibrary.ECHO + " 3";
    assertEquals(most, session.mostCalled(1));
    assertEquals(most + " fake" + FakeLibrary.POST + " 1", session.mostCalled(5));
  }

  @Test
  void linksThatAreLostAndResumedAreCounted() {
    page.away(5);
    page.away(0);
    page.away(7);
    page.away(9);
    assertEquals(2, page.linksLost());
    assertEquals(1, page.linksResumed());
  }

  @Test
  void anUnknownCallIsNotSupported() {
    client.call(999, ANSWER, 0, 1);
    assertEquals(FakeLibrary.NOT_SUPPORTED, client.receive().result());
    client.call(FakeLibrary.ECHO, ANSWER, 0, 1);
    assertEquals(0, client.receive().result());
  }

  /** That of whoever sees the end of the connection, and takes the client to be gone, is late. */
  @Test
  void theCauseOfItsEndStands() {
    client.control(Frame.KIND_GOODBYE, 0);
    assertNull(client.receive());
    page.cause("the client has gone");
    assertEquals("the client said goodbye", page.cause());
  }

  @Test
  void opensALibraryLate() {
    RawClient.Received opened = open("toy", ToyTable.ID);
    assertEquals(0, opened.result());
    Welcome.Library entry = Welcome.Library.decode(opened.body());
    assertEquals("toy", entry.name());
    assertTrue(entry.calls().get(1));
    assertEquals(0, open("toy", ToyTable.ID).result());
    RawClient.Received missing = open("other", 77);
    assertEquals(1, missing.result());
    assertEquals(0, missing.body().length);
    client.call(FakeLibrary.ECHO, ANSWER, 0, 1, 5);
    assertEquals(5, client.receive().word(0));
    client.use(ToyTable.ID);
    client.call(999, ANSWER, 0, 1);
    assertEquals(ToyResult.NOT_SUPPORTED, client.receive().result());
  }

  private RawClient.Received open(String name, int number) {
    Hello.Library asked = new Hello.Library(name, number, 1, Bytes.zero(Message.IDENTITY));
    client.control(Frame.KIND_LIBRARY, 1, asked.encode());
    return client.receive();
  }

  @Test
  void twoLibrariesOfANumberEndTheSession() throws InterruptedException {
    Hello.Library other =
        new Hello.Library("toy", FakeLibrary.NUMBER, 1, Bytes.zero(Message.IDENTITY));
    client.control(Frame.KIND_LIBRARY, 1, other.encode());
    assertTrue(session.await().cause().contains("of one number"));
  }

  @Test
  void whatALibraryLatchesIsToldToIt() {
    open("toy", ToyTable.ID);
    client.call(FakeLibrary.POST, 0, 1, 1, -9);
    client.use(ToyTable.ID);
    client.call(999, ANSWER, 1, 1);
    assertEquals(ToyResult.NOT_SUPPORTED, client.receive().result());
    client.use(FakeLibrary.NUMBER);
    client.call(FakeLibrary.ECHO, ANSWER, 1, 1, 5);
    assertEquals(9, client.receive().result());
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
  void aBlockingCallOfALoneThreadHoldsNobodyUpForLong() {
    for (int i = 0; i < 100; i++) {
      client.call(FakeLibrary.ECHO, ANSWER, 1, 1, i);
      assertEquals(i, client.receive().word(0));
    }
    long waiting = client.call(FakeLibrary.WAIT, ANSWER, 1, 1, 42);
    client.call(FakeLibrary.POST, 0, 1, 2, 7);
    long other = client.call(FakeLibrary.ECHO, ANSWER, 1, 2, 8);
    assertEquals(other, client.receive().sequence());
    assertEquals(List.of(7L), library.noted);
    library.permits.release();
    assertEquals(waiting, client.receive().sequence());
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
  void anAnswerThatIsLongerThanAFrameComesInSeveral() {
    for (long bytes : new long[] {Limits.BODY, Limits.BODY + 8L, 3L * Limits.CHUNK, 16}) {
      long sequence = client.call(FakeLibrary.FILL, ANSWER, 0, 1, bytes);
      long at = 0;
      RawClient.Received part;
      do {
        part = client.receive();
        assertEquals(sequence, part.sequence());
        for (int i = 0; i < part.body().length / 8; i++, at += 8) {
          assertEquals(at, part.word(i));
        }
      } while (part.flags() == Frame.FLAG_MORE);
      assertEquals(bytes, at);
    }
  }

  @Test
  void anAnswerThatIsTooLongEndsTheSession() {
    client.call(FakeLibrary.FILL, ANSWER, 0, 1, Limits.REPLY + 8L);
    assertNull(client.receive());
  }

  @Test
  void aPostedCallThatFailsIsReportedOnceInItsLane() {
    client.call(FakeLibrary.POST, 0, 2, 1, -700);
    client.call(FakeLibrary.POST, 0, 2, 1, -701);
    client.call(FakeLibrary.ECHO, ANSWER, 1, 1, 5);
    assertEquals(0, client.receive().result());
    client.call(FakeLibrary.ECHO, ANSWER, 2, 1, 5);
    RawClient.Received told = client.receive();
    assertEquals(700, told.result());
    assertEquals(0, told.body().length);
    client.call(FakeLibrary.ECHO, ANSWER, 2, 1, 5);
    assertEquals(0, client.receive().result());
  }

  @Test
  void aCallThatIsToldAnEarlierErrorIsNotIssued() {
    client.call(FakeLibrary.POST, 0, 1, 1, -700);
    client.call(FakeLibrary.POST, ANSWER, 1, 1, 1);
    assertEquals(700, client.receive().result());
    client.call(FakeLibrary.POST, ANSWER, 1, 1, 2);
    assertEquals(0, client.receive().result());
    assertEquals(List.of(-700L, 2L), library.noted);
  }

  @Test
  void whatIsLatchedEndsWithItsContext() {
    client.call(FakeLibrary.POST, 0, 1, 1, -700);
    client.call(FakeLibrary.POST, ANSWER | Frame.FLAG_LAST, 1, 1, 1);
    assertEquals(0, client.receive().result());
    client.call(FakeLibrary.POST, 0, 1, 1, -701);
    client.call(FakeLibrary.POST, Frame.FLAG_LAST, 1, 1, 2);
    client.call(FakeLibrary.ECHO, ANSWER, 1, 1, 5);
    assertEquals(0, client.receive().result());
    assertEquals(List.of(-700L, 1L, -701L, 2L), library.noted);
  }

  @Test
  void aLaneWhoseContextHasEndedIsNoLaneAnyMore() {
    for (int i = 0; i < 10_000; i++) {
      client.call(FakeLibrary.SINK, 0, 2 + i % 3, 1);
      client.call(FakeLibrary.SINK, Frame.FLAG_LAST, 2 + i % 3, 1);
    }
    // With one context left the reader issues posted calls itself, so the stalled one comes late.
    client.call(FakeLibrary.STALL_POST, 0, 1, 1, 1);
    client.call(FakeLibrary.ECHO, ANSWER, 0, 2, 7);
    assertEquals(7, client.receive().word(0));
    assertEquals(List.of(), library.noted);
    library.permits.release();
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
  void aPayloadThatTakesLongToComeIsWholeWhenItsCallRuns() {
    byte[] part = new byte[Limits.CHUNK];
    Arrays.fill(part, (byte) 1);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 48; i++) {
        client.payload(1, part);
      }
      client.call(FakeLibrary.SUM, ANSWER | Frame.FLAG_PAYLOAD, 0, 1);
      assertEquals(48L * Limits.CHUNK, client.receive().word(0));
    }
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
  void aFunctionThatReturnsWithoutHavingBeenAskedForEndsTheSession() throws InterruptedException {
    client.control(Frame.KIND_CALLBACK_DONE, 0, new byte[Long.BYTES]);
    assertTrue(session.await().cause().contains("not asked for"));
  }

  @Test
  void aCallThatWasDamagedIntoAnotherFrameEndsTheSession() throws InterruptedException {
    client.control(Frame.KIND_PING, 1, new byte[16]);
    assertTrue(session.await().cause().contains("with 16 bytes"));
  }

  @Test
  void aCallThatWasDamagedIntoAPayloadEndsTheSession() throws InterruptedException {
    client.control(Frame.KIND_PAYLOAD, 1, new byte[16]);
    assertTrue(session.await().cause().contains("of 0 bytes in 16"));
  }

  @Test
  void aDistantClientThatWaitsIsToldThatTheSessionLives() throws Exception {
    session.beat(20);
    client.call(FakeLibrary.WAIT, ANSWER, 0, 1, 5);
    for (int i = 0; i < 3; i++) {
      assertEquals(Frame.KIND_PONG, client.receive().kind());
    }
    library.permits.release();
    RawClient.Received received = client.receive();
    while (received.kind() == Frame.KIND_PONG) {
      received = client.receive();
    }
    assertEquals(5, received.word(0));
  }

  @Test
  void aDistantClientThatWaitsForRoomIsToldToo() {
    session.beat(20);
    client.call(FakeLibrary.STALL_POST, 0, 1, 1, 5);
    client.call(FakeLibrary.STALL_POST, 0, 2, 1, 5);
    for (int i = 0; i < 1100; i++) {
      client.call(FakeLibrary.SINK, 0, 1, 1, i);
    }
    assertEquals(Frame.KIND_PONG, client.receive().kind());
    library.permits.release(2);
  }

  @Test
  void aDistantClientThatWaitsForNothingIsLeftInPeace() {
    session.beat(5);
    client.call(FakeLibrary.ECHO, ANSWER, 1, 1, 1);
    assertEquals(0, client.receive().result());
    assertFalse(client.comes(100));
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

  /** In a virtual machine that waits for its compiler: hot code is compiled, however busy. */
  @Test
  void aCallAllocatesNothing(@TempDir Path folder) throws Exception {
    ProcessBuilder builder = new StandIn(folder).process(Allocations.class);
    builder.command().add(1, "-Xbatch");
    Process process = builder.start();
    long bytes = Long.parseLong(process.inputReader().readLine());
    assertEquals(0, process.waitFor());
    // Less than a byte a call: the rest are the virtual machine's own sporadic objects.
    assertTrue(bytes < Allocations.CALLS, () -> bytes + " bytes");
  }

  /** Prints what the session's threads allocate for so many calls of each kind. */
  static final class Allocations {
    static final int CALLS = 5_000;

    public static void main(String[] none) throws Exception {
      WorkerSessionTest test = new WorkerSessionTest();
      test.open();
      test.plainPostedAndBlocking(20_000);
      long before = allocated();
      test.plainPostedAndBlocking(CALLS);
      System.out.println(allocated() - before);
      test.close();
    }
  }

  private void plainPostedAndBlocking(int count) {
    library.permits.release(count);
    for (int i = 0; i < count; i++) {
      client.call(FakeLibrary.SINK, 0, 1, 1, i);
      client.call(FakeLibrary.ECHO, ANSWER, 1, 1, i);
      assertEquals(0, client.receive().result());
      client.call(FakeLibrary.WAIT, ANSWER, 1, 1, i);
      assertEquals(0, client.receive().result());
    }
  }

  /** Bytes that the session's threads have allocated so far. */
  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
        .filter(thread -> thread != null && thread.getThreadName().startsWith("session-"))
        .mapToLong(thread -> threads.getThreadAllocatedBytes(thread.getThreadId()))
        .sum();
  }

  @Test
  void noiseEndsOnlyTheSession() throws Exception {
    Random random = new Random(20261121);
    for (int i = 0; i < 300; i++) {
      byte[] noise = noise(random);
      if (!client.raw(noise)) {
        break;
      }
      if (session.isOver()) {
        close();
        open();
      }
    }
    close();
    open();
    answers();
  }

  /** Frames that are almost right, so that they come far. */
  private static byte[] noise(Random random) {
    int frames = 1 + random.nextInt(20);
    ByteBuffer out = ByteBuffer.allocate(frames * 256).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < frames; i++) {
      int body = 8 * random.nextInt(20);
      int start = out.position();
      out.putInt(random.nextInt(50) == 0 ? random.nextInt() : Frame.HEADER + body);
      out.put((byte) (random.nextInt(3) > 0 ? 1 : random.nextInt(13)));
      out.put((byte) random.nextInt(16));
      out.putShort((short) random.nextInt(10));
      out.putInt(random.nextInt(40) == 0 ? random.nextInt() : FakeLibrary.NUMBER);
      out.putInt(random.nextInt(40) == 0 ? random.nextInt() : random.nextInt(4));
      out.putInt(random.nextInt(40) == 0 ? random.nextInt() : random.nextInt(4));
      out.putInt(random.nextInt(200));
      out.putLong(random.nextLong());
      out.putLong(random.nextLong());
      byte[] noise = new byte[body];
      random.nextBytes(noise);
      out.put(noise);
      assertEquals(start + Frame.HEADER + body, out.position());
    }
    return Arrays.copyOf(out.array(), out.position());
  }
}
