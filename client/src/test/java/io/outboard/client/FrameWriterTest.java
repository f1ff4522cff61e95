// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.patience.Patience;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrameWriterTest {
  private static final int CALLS = 100;
  private static final int BODY = 64;
  private static final ClientLibrary LIBRARY = new ClientLibrary("toy", 1, 9, "ab".repeat(16), -1);

  private final int[] pair = new int[2];
  private final Arena arena = Arena.ofShared();
  private final long header = arena.allocate(Frame.HEADER + (long) Limits.BODY, 8).address();
  private Link link;
  private FrameWriter writer;
  private ThreadRequest request;

  @BeforeEach
  void open() throws IOException {
    Errno.check(Sockets.socketpair(pair), "socketpair");
    link = new Link(pair[0], 0, cause -> cause, _ -> writer.lost());
    Lead lead = new Lead(link);
    writer = new FrameWriter(link, lead, 0);
    Backlog backlog = new Backlog(new ClientFunctions(_ -> {}), () -> 1);
    request = new ThreadRequest(writer, Thread.currentThread(), 1, backlog, new LostLane(), lead);
  }

  @AfterEach
  void close() {
    link.lose("the end of a test");
    writer.close();
    Posix.close(pair[1]);
    arena.close();
  }

  private void post(int body) {
    assertEquals(0, request.begin(LIBRARY, 1, body).send(0));
  }

  private boolean somethingCame(int milliseconds) {
    return Posix.poll(pair[1], Posix.POLLIN, milliseconds) == Posix.POLLIN;
  }

  private long next() {
    read(header, Frame.HEADER);
    read(header + Frame.HEADER, Native.getInt(header) - Frame.HEADER);
    return Native.getLong(header + Frame.SEQUENCE);
  }

  private void read(long to, int bytes) {
    for (int done = 0; done < bytes; ) {
      assertTrue(somethingCame(Patience.milliseconds()), "a frame is short");
      done += (int) Posix.read(pair[1], to + done, bytes - done);
    }
  }

  @Test
  void postedCallsLeaveTogetherBeforeWhatSomebodyWaitsFor() {
    for (int i = 0; i < CALLS; i++) {
      post(BODY);
    }
    assertFalse(somethingCame(0));
    writer.returned(7);
    for (int number = 1; number <= CALLS + 1; number++) {
      assertTrue(somethingCame(0));
      assertEquals(number, next());
    }
    assertEquals(Frame.KIND_CALLBACK_DONE, Native.getByte(header + Frame.KIND));
    assertEquals(7, Native.getLong(header + Frame.HEADER));
    assertFalse(somethingCame(0));
  }

  @Test
  void aPostedCallLeavesByItself() throws InterruptedException {
    writer.start();
    for (int number = 1; number <= 3; number++) {
      post(BODY);
      assertEquals(number, next());
      // Until the sender sleeps.
      Thread.sleep(5);
    }
  }

  @Test
  void aLargeCallKeepsItsPlace() {
    post(BODY);
    Thread large = Thread.ofPlatform().start(() -> post(Limits.CHUNK));
    assertEquals(List.of(1L, 2L), List.of(next(), next()));
    assertEquals(Frame.HEADER + Limits.CHUNK, Native.getInt(header + Frame.LENGTH));
    join(large);
  }

  @Test
  void aPosterWaitsForRoom() {
    int calls = 3_000;
    Thread poster =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < calls; i++) {
                    post(1_000);
                  }
                  writer.flush();
                });
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      numbers.add(next());
    }
    assertEquals(LongStream.rangeClosed(1, calls).boxed().toList(), numbers);
    join(poster);
  }

  @Test
  void aWordToTheBackendHasRoomWhereACallHasNone() {
    int body = GatheredFrames.LARGEST - Frame.HEADER;
    for (int i = 0; i < 4; i++) {
      post(body);
    }
    writer.pong();
    assertFalse(somethingCame(0));
    Thread waits = Thread.ofPlatform().start(() -> post(BODY));
    for (int number = 1; number <= 5; number++) {
      assertEquals(number, next());
    }
    assertEquals(Frame.KIND_PONG, Native.getByte(header + Frame.KIND));
    join(waits);
  }

  @Test
  void aLostConnectionHoldsNobodyUp() {
    link.lose("a test");
    for (int i = 0; i < 10_000; i++) {
      assertEquals(-1, request.begin(LIBRARY, 1, BODY).send(0));
    }
  }

  @Test
  void theGoodbyeFollowsWhatIsPosted() {
    post(BODY);
    writer.goodbye();
    assertEquals(1, next());
    assertEquals(2, next());
    assertEquals(Frame.KIND_GOODBYE, Native.getByte(header + Frame.KIND));
  }

  private static void join(Thread thread) {
    try {
      Patience.join(thread);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
