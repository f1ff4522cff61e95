// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.Backend;
import io.outboard.backend.FakeLibrary;
import io.outboard.backend.RawClient;
import io.outboard.backend.system.LogLines;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.stream.MessageStream;
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
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A client that has lost its connection, and whoever says to be one. */
@Timeout(120)
class ReturnTest {
  private static final int WAIT_MS = 10_000;

  /** A call of one word, and its answer. */
  private static final long ONE = Frame.HEADER + 8;

  private static final String NOT_THERE = "there is no such session";

  @TempDir private Path folder;

  private Backend backend(int graceSeconds) throws IOException {
    return new Backend(folder, Daemon.builder().spareWorkers(0).graceSeconds(graceSeconds));
  }

  /** A session that outlives its connection. */
  private static final class Lasting {
    private final Backend backend;
    private final Welcome welcome;
    private RawClient client;

    Lasting(Backend backend) throws IOException {
      this.backend = backend;
      int socket = backend.connect();
      welcome = Backend.greet(socket, "test", Bytes.zero(Message.IDENTITY), Hello.FLAG_LASTS);
      client = new RawClient(socket);
    }

    Token key() {
      return Token.none().derived("resume " + welcome.secret().hex());
    }

    /** Resumes a session, and returns the backend's answer. */
    Resumption goOn(int epoch, long bytes) throws IOException {
      int socket = comeBack(backend, welcome.session(), key());
      MessageStream stream = new MessageStream(socket, WAIT_MS);
      stream.send(new Resumption(epoch, bytes).encode());
      byte[] answer = stream.receive();
      if (answer[8] == 5) {
        Posix.close(socket);
        throw new RefusedException(Refusal.decode(answer));
      }
      client = new RawClient(socket);
      return Resumption.decode(answer);
    }

    void call(long word) {
      client.call(FakeLibrary.ECHO, Frame.FLAG_ANSWER, 0, 1, word);
    }

    void answers(long word) {
      assertEquals(word, client.receive().word(0));
    }

    /** A call, and the answer to it. */
    void exchange(long word) {
      call(word);
      answers(word);
    }
  }

  private static Hello returning(Bytes session) {
    return new Hello(
        Message.OLDEST,
        Message.VERSION,
        1,
        session,
        Bytes.random(Message.NONCE),
        Hello.FLAG_RETURNS,
        List.of(),
        new LinkedHashMap<>(),
        "");
  }

  private static int comeBack(Backend backend, Bytes session, Token key) throws IOException {
    int socket = backend.connect();
    try {
      Welcome unused =
          GreetingClient.greet(socket, returning(session), false, Optional.of(key), WAIT_MS);
      return socket;
    } catch (IOException e) {
      Posix.close(socket);
      throw e;
    }
  }

  private static void isRefused(String why, Executable attempt) {
    RefusedException refused = assertThrows(RefusedException.class, attempt);
    assertEquals(Refusal.SESSION, refused.refusal().code());
    assertEquals(why, refused.refusal().text());
  }

  @Test
  void aSessionGoesOnWhereItWas() throws Exception {
    try (Backend backend = backend(60)) {
      Lasting session = new Lasting(backend);
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
      Lasting session = new Lasting(backend);
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
      Lasting session = new Lasting(backend);
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
      Lasting session = new Lasting(backend);
      session.exchange(1);
      Bytes identity = session.welcome.session();
      isRefused(NOT_THERE, () -> comeBack(backend, identity, Token.random()));
      isRefused(NOT_THERE, () -> comeBack(backend, identity, Token.none()));
      isRefused(NOT_THERE, () -> comeBack(backend, Bytes.random(Message.IDENTITY), session.key()));
      session.exchange(2);
      session.client.close();
    }
  }

  @Test
  void aProofIsGoodForOneConnection() throws Exception {
    try (Backend backend = backend(60)) {
      Lasting session = new Lasting(backend);
      session.exchange(1);
      Hello hello = returning(session.welcome.session());
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
      MessageStream stream = new MessageStream(socket, WAIT_MS);
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
      Lasting session = new Lasting(backend);
      session.exchange(1);
      session.client.close();
      session.goOn(0, ONE);
      session.exchange(2);
      isRefused("another process goes on with this session", () -> session.goOn(0, 2 * ONE));
      session.exchange(3);
      session.client.close();
    }
  }

  /** The answer to its last attempt may have been lost with the connection. */
  @Test
  void aClientThatDoesNotKnowThatItIsBackTriesAgain() throws Exception {
    try (Backend backend = backend(60)) {
      Lasting session = new Lasting(backend);
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
      Lasting session = new Lasting(backend);
      session.exchange(1);
      isRefused("it cannot go on from where you are", () -> session.goOn(0, 2 * ONE));
      isRefused("it cannot go on from where you are", () -> session.goOn(0, -1));
      session.goOn(0, ONE);
      session.exchange(2);
      session.client.close();
    }
  }

  @Test
  void bytesThatWereNeverSentAreNobodys() throws Exception {
    try (LogLines log = new LogLines();
        Backend backend = backend(60)) {
      Lasting session = new Lasting(backend);
      ByteBuffer pong = ByteBuffer.allocate(Frame.HEADER).order(ByteOrder.LITTLE_ENDIAN);
      pong.putInt(Frame.LENGTH, Frame.HEADER).put(Frame.KIND, (byte) Frame.KIND_PONG);
      pong.putLong(Frame.ACKNOWLEDGED, 8);
      assertTrue(session.client.raw(pong.array()));
      assertNull(session.client.receive());
      log.await("it has what was never sent");
      session.client.close();
    }
  }

  @Test
  void afterTheGracePeriodTheSessionIsGone() throws Exception {
    try (LogLines log = new LogLines();
        Backend backend = backend(1)) {
      Lasting session = new Lasting(backend);
      session.exchange(1);
      session.client.close();
      log.await("the client was away for too long");
      while (backend.daemon.sessions() > 0) {
        Thread.sleep(10);
      }
      Bytes identity = session.welcome.session();
      isRefused(NOT_THERE, () -> comeBack(backend, identity, Token.random()));
      assertSaid(session);
    }
  }

  /** The client that has the secret hears why, for as long as it may try; then there is nothing. */
  private static void assertSaid(Lasting session) throws InterruptedException {
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
      Lasting session = new Lasting(backend);
      session.client.control(Frame.KIND_GOODBYE, 0);
      session.client.close();
      log.await("the client said goodbye");
    }
  }

  @Test
  void withoutAGracePeriodTheSessionEndsWithItsConnection() throws Exception {
    try (LogLines log = new LogLines();
        Backend backend = backend(0)) {
      Lasting session = new Lasting(backend);
      assertEquals(0, session.welcome.graceSeconds());
      session.exchange(1);
      session.client.close();
      log.await("the client has gone");
      isRefused(NOT_THERE, () -> session.goOn(0, ONE));
    }
  }
}
