// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.posix.Descriptors;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.patience.Patience;
import io.outboard.wire.Bytes;
import io.outboard.wire.Message;
import io.outboard.wire.Native;
import io.outboard.wire.Refusal;
import io.outboard.wire.Welcome;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker that asks for what there is not is hung up on, and may ask again. */
class JoinRequestsTest {
  private static final int HEAD = 8;
  private static final int TIMEOUT_MS = Patience.milliseconds();

  private final NativeBuffer head = new NativeBuffer(HEAD);
  private int channel;

  @BeforeEach
  void open() throws IOException {
    List<Endpoint> nobody = List.of(Endpoint.parse("tcp://127.0.0.1:1"));
    channel = JoinRequests.open(() -> JoinedHosts.of(nobody, Optional.empty()));
  }

  @AfterEach
  void close() {
    Posix.close(channel);
    head.close();
  }

  private static byte[] welcome() {
    Bytes none = Bytes.zero(Message.IDENTITY);
    return new Welcome(Message.VERSION, none, none, Bytes.zero(Message.NONCE), List.of()).encode();
  }

  private void isHungUpOn(int slot, int milliseconds, byte[] said) throws IOException {
    int[] pair = new int[2];
    Errno.check(Sockets.socketpair(pair), "socketpair");
    Native.putInt(head.address(), slot);
    Native.putInt(head.address() + 4, milliseconds);
    assertEquals(HEAD, Descriptors.send(channel, new int[] {pair[1]}, head.address(), HEAD));
    Posix.close(pair[1]);
    MessageStream messages = new MessageStream(pair[0], TIMEOUT_MS);
    messages.send(said);
    assertThrows(EOFException.class, messages::receive);
    Posix.close(pair[0]);
  }

  @Test
  void thereIsNoSuchHostOrItCannotBeReached() throws IOException {
    for (int slot : new int[] {1, 0, 2, -1, Integer.MAX_VALUE}) {
      isHungUpOn(slot, 100, welcome());
    }
    isHungUpOn(1, -1, welcome());
    isHungUpOn(1, Integer.MAX_VALUE, welcome());
  }

  @Test
  void itIsNoWelcome() throws IOException {
    isHungUpOn(1, 100, new Refusal(Refusal.SESSION, "none").encode());
    isHungUpOn(1, 100, welcome());
  }

  /** The daemon ends the connection, and not itself. */
  @Test
  void aSocketIsMissing() {
    assertEquals(HEAD, Posix.write(channel, head.address(), HEAD));
    assertEquals(0, Posix.read(channel, head.address(), HEAD));
  }
}
