// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.Backend;
import io.outboard.backend.RawClient;
import io.outboard.backend.system.LogLines;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.patience.Patience;
import io.outboard.wire.Answer;
import io.outboard.wire.Bytes;
import io.outboard.wire.Challenge;
import io.outboard.wire.Frame;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Proof;
import io.outboard.wire.Refusal;
import io.outboard.wire.Resumption;
import io.outboard.wire.Token;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A client that has lost its connection, and whoever says to be one. */
class ReturnTest {
  private static final long ONE = LastingClient.ONE;

  private static final String NOT_THERE = "there is no such session";
  private static final String FORGOTTEN =
      "what you lack is gone: another process, a clone of yours perhaps, has had it, or you did not"
          + " say in time what you have";

  @TempDir private Path folder;

  private Backend backend(int graceSeconds) throws IOException {
    return new Backend(folder, Daemon.builder().spareWorkers(0).graceSeconds(graceSeconds));
  }

  private static void isRefused(String why, Executable attempt) {
    RefusedException refused = assertThrows(RefusedException.class, attempt);
    assertEquals(Refusal.SESSION, refused.refusal().code());
    assertEquals(why, refused.refusal().text());
  }

  @Test
  void aSessionGoesOnWhereItWas() throws Exception {
    try (Backend backend = backend(60)) {
      LastingClient session = new LastingClient(backend);
      assertEquals(60, session.welcome.graceSeconds());
      session.exchange(1);
      session.client.close();
      assertEquals(new Resumption(1, ONE), session.goOn(0, ONE));
      session.exchange(2);
      session.client.close();
    }
  }

  @Test
  void whatHasNotComeIsSentAgain() throws Exception {
    try (Backend backend = backend(60)) {
      LastingClient session = new LastingClient(backend);
      session.call(1);
      session.call(2);
      session.answers(1);
      session.answers(2);
      session.client.close();
      session.goOn(0, ONE);
      session.answers(2);
      session.exchange(3);
      session.client.close();
    }
  }

  /** The old connection is not seen to end, as where a network drops all that it carries. */
  @Test
  void aClientThatComesBackTakesThePlaceOfItsOldConnection() throws Exception {
    try (Backend backend = backend(60)) {
      LastingClient session = new LastingClient(backend);
      session.exchange(1);
      RawClient old = session.client;
      session.goOn(0, ONE);
      session.exchange(2);
      assertNull(old.receive());
      old.close();
      session.client.close();
    }
  }

  @Test
  void whoHasNotTheSecretLearnsNothing() throws Exception {
    try (Backend backend = backend(60)) {
      LastingClient session = new LastingClient(backend);
      session.exchange(1);
      Bytes identity = session.welcome.session();
      isRefused(NOT_THERE, () -> LastingClient.comeBack(backend, identity, Token.random()));
      isRefused(NOT_THERE, () -> LastingClient.comeBack(backend, identity, Token.none()));
      isRefused(
          NOT_THERE,
          () -> LastingClient.comeBack(backend, Bytes.random(Message.IDENTITY), session.key()));
      session.exchange(2);
      session.client.close();
    }
  }

  @Test
  void aProofIsGoodForOneConnection() throws Exception {
    try (Backend backend = backend(60)) {
      LastingClient session = new LastingClient(backend);
      session.exchange(1);
      Hello hello = LastingClient.returning(session.welcome.session());
      Bytes heard = prove(backend, hello, Optional.empty(), session.key());
      isRefused(NOT_THERE, () -> prove(backend, hello, Optional.of(heard), session.key()));
      session.client.close();
    }
  }

  /** Returns the proof. One that was heard is sent as it is. */
  private static Bytes prove(Backend backend, Hello hello, Optional<Bytes> heard, Token key)
      throws IOException {
    int socket = backend.connect();
    try {
      MessageStream stream = new MessageStream(socket, LastingClient.WAIT_MS);
      stream.send(hello.encode());
      Challenge challenge = Challenge.decode(stream.receive());
      Bytes proof = heard.orElseGet(() -> key.clientProof(hello.nonce(), challenge.nonce()));
      stream.send(new Proof(proof).encode());
      if (Answer.decode(stream.receive()) instanceof Refusal refusal) {
        throw new RefusedException(refusal);
      }
      return proof;
    } finally {
      Posix.close(socket);
    }
  }

  /** As a virtual machine that was copied, or the image of a process. */
  @Test
  void ofTwoWithTheSameSecretOneGoesOn() throws Exception {
    try (Backend backend = backend(60)) {
      LastingClient session = new LastingClient(backend);
      session.exchange(1);
      session.client.close();
      session.goOn(0, ONE);
      session.exchange(2);
      isRefused("another process goes on with this session", () -> session.goOn(0, 2 * ONE));
      session.exchange(3);
      session.client.close();
    }
  }

  /** One that was copied while the other's connection stands. */
  @Test
  void whoLacksWhatAnotherHasHadIsRefused() throws Exception {
    try (Backend backend = backend(60)) {
      LastingClient session = new LastingClient(backend);
      session.exchange(1);
      assertTrue(session.client.raw(acknowledging(ONE)));
      session.exchange(2);
      isRefused(FORGOTTEN, () -> session.goOn(0, 0));
      session.goOn(0, 2 * ONE);
      session.exchange(3);
      session.client.close();
    }
  }

  private static byte[] acknowledging(long bytes) {
    ByteBuffer pong = ByteBuffer.allocate(Frame.HEADER).order(ByteOrder.LITTLE_ENDIAN);
    pong.putInt(Frame.LENGTH, Frame.HEADER).put(Frame.KIND, (byte) Frame.KIND_PONG);
    return pong.putLong(Frame.ACKNOWLEDGED, bytes).array();
  }

  /** The answer to its last attempt may have been lost with the connection. */
  @Test
  void aClientThatDoesNotKnowThatItIsBackTriesAgain() throws Exception {
    try (Backend backend = backend(60)) {
      LastingClient session = new LastingClient(backend);
      session.exchange(1);
      session.goOn(0, ONE);
      assertEquals(new Resumption(1, ONE), session.goOn(0, ONE));
      session.exchange(2);
      session.client.close();
    }
  }

  @Test
  void whoHasNotWhatTheOtherHasForgottenIsRefused() throws Exception {
    try (Backend backend = backend(60)) {
      LastingClient session = new LastingClient(backend);
      session.exchange(1);
      isRefused("it cannot go on from where you are", () -> session.goOn(0, 2 * ONE));
      isRefused(FORGOTTEN, () -> session.goOn(0, -1));
      session.goOn(0, ONE);
      session.exchange(2);
      session.client.close();
    }
  }

  @Test
  void bytesThatWereNeverSentAreNobodys() throws Exception {
    try (LogLines log = new LogLines();
        Backend backend = backend(60)) {
      LastingClient session = new LastingClient(backend);
      assertTrue(session.client.raw(acknowledging(8)));
      assertNull(session.client.receive());
      log.await("it has what was never sent");
      session.client.close();
    }
  }

  /** Of that length is the time, too, in which a client that comes back hears why. */
  private static final int SHORT = Math.toIntExact(Patience.of(Duration.ofSeconds(2)).toSeconds());

  @Test
  void afterTheGracePeriodTheSessionIsGone() throws Exception {
    try (LogLines log = new LogLines();
        Backend backend = backend(SHORT)) {
      LastingClient session = new LastingClient(backend);
      session.exchange(1);
      session.client.close();
      log.await("the client was away for too long");
      while (backend.daemon.sessions() > 0) {
        Thread.sleep(10);
      }
      Bytes identity = session.welcome.session();
      isRefused(NOT_THERE, () -> LastingClient.comeBack(backend, identity, Token.random()));
      assertSaid(session);
    }
  }

  /** The client that has the secret hears why, for as long as it may try; then there is nothing. */
  private static void assertSaid(LastingClient session) throws InterruptedException {
    List<String> texts = new ArrayList<>();
    while (!texts.contains(NOT_THERE)) {
      RefusedException refused = assertThrows(RefusedException.class, () -> session.goOn(0, ONE));
      if (!texts.contains(refused.refusal().text())) {
        texts.add(refused.refusal().text());
      }
      Thread.sleep(10);
    }
    assertEquals(List.of("it has ended: the client was away for too long", NOT_THERE), texts);
  }

  @Test
  void aGoodbyeEndsItAtOnce() throws Exception {
    try (LogLines log = new LogLines();
        Backend backend = backend(3600)) {
      LastingClient session = new LastingClient(backend);
      session.client.control(Frame.KIND_GOODBYE, 0);
      session.client.close();
      log.await("the client said goodbye");
    }
  }

  @Test
  void withoutAGracePeriodTheSessionEndsWithItsConnection() throws Exception {
    try (LogLines log = new LogLines();
        Backend backend = backend(0)) {
      LastingClient session = new LastingClient(backend);
      assertEquals(0, session.welcome.graceSeconds());
      session.exchange(1);
      session.client.close();
      log.await("the client has gone");
      isRefused(NOT_THERE, () -> session.goOn(0, ONE));
    }
  }
}
