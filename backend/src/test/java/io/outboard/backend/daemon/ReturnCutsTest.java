// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.Backend;
import io.outboard.backend.FakeLibrary;
import io.outboard.backend.RawClient;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.testkit.Amount;
import io.outboard.wire.Frame;
import io.outboard.wire.Resumption;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections cut behind each byte of a header: either side says the same as without the cuts. */
class ReturnCutsTest {
  private static final int ONE = (int) LastingClient.ONE;
  private static final int EACH = Amount.of(4, 125);

  @TempDir private Path folder;
  private final Random random = new Random(20261125);
  private Backend backend;
  private LastingClient session;
  private RawClient before;
  private int epoch;
  private long said;
  private long heard;
  private long calls;

  @BeforeEach
  void open() throws IOException {
    backend = new Backend(folder, Daemon.builder().spareWorkers(0).graceSeconds(60));
    session = new LastingClient(backend);
  }

  @AfterEach
  void close() {
    session.client.close();
    before.close();
    backend.close();
  }

  @Test
  void calls() throws Exception {
    for (int i = 0; i < EACH * Frame.HEADER; i++) {
      byte[] call = call();
      say(call, 0, 1 + i % Frame.HEADER);
      say(call, cut(), ONE);
      assertAnswer(hear(ONE));
    }
    assertFalse(session.client.comes(0));
  }

  @Test
  void answers() throws Exception {
    for (int i = 0; i < EACH * Frame.HEADER; i++) {
      say(call(), 0, ONE);
      byte[] answer = Arrays.copyOf(hear(1 + i % Frame.HEADER), ONE);
      int come = 1 + i % Frame.HEADER;
      assertEquals(ONE, cut());
      System.arraycopy(hear(ONE - come), 0, answer, come, ONE - come);
      assertAnswer(answer);
    }
    assertFalse(session.client.comes(0));
  }

  private byte[] call() {
    ByteBuffer call = ByteBuffer.allocate(ONE).order(ByteOrder.LITTLE_ENDIAN);
    call.putInt(Frame.LENGTH, ONE).put(Frame.KIND, (byte) Frame.KIND_CALL);
    call.put(Frame.FLAGS, (byte) Frame.FLAG_ANSWER).putShort(Frame.CALL, (short) FakeLibrary.ECHO);
    call.putInt(Frame.LIBRARY, FakeLibrary.NUMBER).putInt(Frame.THREAD, 1);
    call.putLong(Frame.ACKNOWLEDGED, heard).putLong(Frame.SEQUENCE, ++calls);
    said += ONE;
    return call.putLong(Frame.HEADER, calls * calls).array();
  }

  private void assertAnswer(byte[] bytes) {
    ByteBuffer answer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(ONE, answer.getInt(Frame.LENGTH));
    assertEquals(Frame.KIND_REPLY, answer.get(Frame.KIND));
    assertEquals(calls, answer.getLong(Frame.SEQUENCE));
    assertEquals(calls * calls, answer.getLong(Frame.HEADER));
  }

  private void say(byte[] call, int from, int to) {
    assertTrue(session.client.raw(Arrays.copyOfRange(call, from, to)));
  }

  private byte[] hear(int bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment room = arena.allocate(bytes);
      for (long done = 0, n; done < bytes; done += n) {
        n = Posix.read(session.client.socket(), room.address() + done, bytes - done);
        assertTrue(n > 0, "the end");
      }
      heard += bytes;
      return room.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /** Returns how many bytes of the last call have come. */
  private int cut() throws IOException {
    leave();
    Resumption theirs = session.goOn(epoch, heard);
    assertEquals(++epoch, theirs.epoch());
    return (int) (theirs.bytes() - (said - ONE));
  }

  /** The connection ends, or stays as it is until the next cut. */
  private void leave() {
    if (before != null) {
      before.close();
    }
    before = session.client;
    if (random.nextBoolean()) {
      Sockets.shutdown(before.socket(), Sockets.SHUT_RDWR);
    }
  }
}
