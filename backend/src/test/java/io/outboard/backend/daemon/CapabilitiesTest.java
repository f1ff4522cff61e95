// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.MappedCommunicator;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.region.RingStream;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.patience.Patience;
import io.outboard.wire.Bytes;
import io.outboard.wire.Frame;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Native;
import io.outboard.wire.RegionAnswer;
import io.outboard.wire.RegionOffer;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon and communicators that it knows nothing of but what they say of themselves. */
class CapabilitiesTest {
  private static final int PATIENCE_MS = Patience.milliseconds();
  private static final int PAUSE_MS = 10;

  @TempDir private Path folder;
  private final Token token = Token.random();

  private Daemon daemon(Endpoint endpoint) throws IOException {
    return Daemon.builder().spareWorkers(0).token(token).listen(endpoint).start();
  }

  private Endpoint endpoint(String scheme) {
    return Endpoint.parse(scheme + ":" + folder.resolve("backend.sock"));
  }

  /** Greets as a client that wants to share memory. */
  private static Welcome greet(Endpoint endpoint, Optional<Token> token) throws IOException {
    int socket = Communicator.of(endpoint).connect(endpoint);
    try {
      return GreetingClient.greet(socket, hello(), false, token, PATIENCE_MS);
    } finally {
      Posix.close(socket);
    }
  }

  private Welcome welcome(int socket) throws IOException {
    return GreetingClient.greet(socket, hello(), false, Optional.of(token), PATIENCE_MS);
  }

  private static Hello hello() {
    return new Hello(
        Message.OLDEST,
        Message.VERSION,
        (int) ProcessHandle.current().pid(),
        Bytes.zero(Message.IDENTITY),
        Bytes.random(Message.NONCE),
        Hello.FLAG_REGIONS,
        List.of(),
        new LinkedHashMap<>(),
        "test");
  }

  @Test
  void memoryIsSharedOverAnyCommunicatorThatCan() throws IOException {
    Endpoint fake = endpoint("fake");
    try (Daemon _ = daemon(fake)) {
      assertTrue(greet(fake, Optional.of(token)).region());
    }
  }

  /** One class is all that a communicator with regions of its own adds to the backend. */
  @Test
  void aRegionNeedsNoDescriptorAndNoFutex() throws Exception {
    Endpoint mapped = endpoint("mapped");
    long daemon = ProcessHandle.current().pid();
    int socket = -1;
    try (Daemon _ = daemon(mapped)) {
      socket = Communicator.of(mapped).connect(mapped);
      assertTrue(welcome(socket).region());
      MessageStream messages = new MessageStream(socket, PATIENCE_MS);
      RegionOffer offer = RegionOffer.decode(messages.receive());
      RingStream stream = RingStream.client(MappedCommunicator.find(daemon, offer), socket);
      socket = -1;
      messages.send(new RegionAnswer(true).encode());
      int sequence = 0;
      while (sequence < 3 || MappedCommunicator.RINGS.get() == 0) {
        assertEquals(Frame.KIND_PONG, answer(stream, Frame.KIND_PING, ++sequence));
        // Sooner or later the worker sleeps when a frame comes; the test's time limit ends this.
        Thread.sleep(PAUSE_MS);
      }
      stream.close();
    } finally {
      Files.deleteIfExists(MappedCommunicator.file(daemon));
      if (socket >= 0) {
        Posix.close(socket);
      }
    }
  }

  /** Sends a frame without a body over rings; the kind of the one that comes back. */
  private static int answer(RingStream stream, int kind, int sequence) {
    try (NativeBuffer frame = new NativeBuffer(Frame.HEADER)) {
      Native.putInt(frame.address() + Frame.LENGTH, Frame.HEADER);
      Native.putByte(frame.address() + Frame.KIND, (byte) kind);
      Native.putLong(frame.address() + Frame.SEQUENCE, sequence);
      assertEquals(Frame.HEADER, stream.write(frame.address(), Frame.HEADER));
      long read = 0;
      while (read < Frame.HEADER) {
        long n = stream.read(frame.address() + read, Frame.HEADER - read);
        assertTrue(n > 0, () -> "the worker has gone: " + n);
        read += n;
      }
      return Native.getByte(frame.address() + Frame.KIND);
    }
  }

  @Test
  void memoryIsNotSharedWhereTheCommunicatorCannotWhateverTheClientWants() throws IOException {
    Endpoint bare = endpoint("bare");
    try (Daemon _ = daemon(bare)) {
      assertFalse(greet(bare, Optional.of(token)).region());
    }
  }

  @Test
  void anOwnerIsNotVouchedForByACommunicatorThatDoesNotVouch() throws IOException {
    Endpoint fake = endpoint("fake");
    try (Daemon _ = daemon(fake)) {
      var error = assertThrows(IOException.class, () -> greet(fake, Optional.empty()));
      assertTrue(error.getMessage().contains("token"), error::getMessage);
      var wrong = assertThrows(IOException.class, () -> greet(fake, Optional.of(Token.random())));
      assertTrue(wrong.getMessage().contains("token"), wrong::getMessage);
    }
  }
}
