// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.Greeted;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Bytes;
import io.outboard.wire.Frame;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** A session that could go on over another connection, and is closed. */
class ClosingTest {
  private static final int SESSIONS = 100;
  private static final int GRACE_SECONDS = 60;
  private static final Endpoint ANY = Endpoint.parse("tcp://127.0.0.1:0");

  private final Token token = Token.random();
  private final BlockingQueue<Boolean> returning = new LinkedBlockingQueue<>();

  /** The backend is often the quicker to hang up: then there is nothing to come back to. */
  @Test
  void aClientDoesNotComeBackToASessionThatItHasClosed() throws Exception {
    Listener listener = Communicator.of(ANY).listen(ANY, Listening.PLAIN);
    Thread backend = Thread.ofPlatform().daemon().start(() -> serve(listener));
    for (int i = 0; i < SESSIONS; i++) {
      Session.open(listener.endpoint(), List.of(), Map.of("OUTBOARD_TOKEN", token.digits()))
          .close();
      assertEquals(false, returning.take(), "session " + i);
    }
    listener.close();
    backend.join();
    assertEquals(List.of(), List.copyOf(returning));
  }

  private void serve(Listener listener) {
    try (Arena arena = Arena.ofConfined()) {
      long room = arena.allocate(1 << 10).address();
      for (int client = listener.accept(); client != Listener.CLOSED; client = listener.accept()) {
        serve(client, room);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void serve(int client, long room) {
    try {
      Greeted greeted = GreetingServer.receive(client, this::claim, GreetingServer.TIMEOUT_MS);
      GreetingServer.welcome(client, welcome(greeted));
      assertEquals(Frame.HEADER, Posix.read(client, room, Frame.HEADER), "a goodbye");
    } catch (IOException e) {
      // One that comes back to a session has no token for this.
      return;
    } finally {
      Posix.close(client);
    }
  }

  private Claim claim(Hello hello) {
    returning.add(hello.returns());
    return Claim.proving(token, new Peer.Operator());
  }

  private static Welcome welcome(Greeted greeted) {
    Bytes identity = Bytes.random(Message.IDENTITY);
    Bytes secret = Bytes.random(Message.IDENTITY);
    return new Welcome(
        1, identity, secret, greeted.serverProof(), GRACE_SECONDS, false, false, false, List.of());
  }
}
