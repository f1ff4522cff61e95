// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.backend.Backend;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.wire.Challenge;
import io.outboard.wire.Refusal;
import io.outboard.wire.Token;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many say at once that they come back to a session: few are kept, and its client is let in. */
class ReturnFloodTest {
  /** More than one user may have that are being greeted. */
  private static final int FLOOD = 300;

  private static final int MOST_GREETED = 128;

  /** So many that have the secret a worker hears out at a time. */
  private static final int MOST_RETURNS = 4;

  @TempDir private Path folder;
  private final List<Integer> flood = new ArrayList<>();
  private Backend backend;
  private LastingClient session;

  @BeforeEach
  void open() throws IOException {
    backend = new Backend(folder, Daemon.builder().spareWorkers(0).graceSeconds(60));
    session = new LastingClient(backend);
    session.exchange(1);
    session.client.close();
  }

  @AfterEach
  void close() {
    session.client.close();
    flood.forEach(Posix::close);
    backend.close();
  }

  /**
   * They know the session's identity, have heard a challenge, and prove nothing; one is its own.
   */
  @Test
  void whoProvesNothingMakesRoom() throws Exception {
    for (int i = 0; i < FLOOD; i++) {
      int socket = backend.connect();
      flood.add(socket);
      MessageStream stream = new MessageStream(socket, LastingClient.WAIT_MS);
      stream.send(LastingClient.returning(session.welcome.session()).encode());
      assertEquals(Challenge.class, Challenge.decode(stream.receive()).getClass());
    }
    session.goOn(0, LastingClient.ONE);
    session.exchange(2);
    awaitEnded(FLOOD + 1 - MOST_GREETED);
  }

  @Test
  void whoProvesWronglyIsRefusedEachTime() throws Exception {
    for (int i = 0; i < FLOOD; i++) {
      RefusedException refused =
          assertThrows(
              RefusedException.class,
              () -> LastingClient.comeBack(backend, session.welcome.session(), Token.random()));
      assertEquals(Refusal.SESSION, refused.refusal().code());
    }
    session.goOn(0, LastingClient.ONE);
    session.exchange(2);
  }

  /** As copies of the client, which hang. */
  @Test
  void ofThoseThatHaveTheSecretFewAreHeardOut() throws Exception {
    for (int i = 0; i < 2 * MOST_RETURNS; i++) {
      flood.add(session.comeBack());
    }
    awaitEnded(MOST_RETURNS);
    flood.forEach(socket -> Sockets.shutdown(socket, Sockets.SHUT_RDWR));
    goOnAsSoonAsPossible();
    session.exchange(2);
  }

  /** Exactly so many of the flood have been hung up. */
  private void awaitEnded(int count) throws InterruptedException {
    while (ended() < count) {
      Thread.sleep(1);
    }
    assertEquals(count, ended());
  }

  private long ended() {
    return flood.stream().filter(Sockets::ready).count();
  }

  /** One that is turned away tries again. */
  private void goOnAsSoonAsPossible() {
    for (boolean back = false; !back; ) {
      try {
        session.goOn(0, LastingClient.ONE);
        back = true;
      } catch (IOException e) {
        // There is no room yet.
        Thread.onSpinWait();
      }
    }
  }
}
