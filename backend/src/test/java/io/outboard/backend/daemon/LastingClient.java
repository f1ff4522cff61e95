// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.backend.Backend;
import io.outboard.backend.FakeLibrary;
import io.outboard.backend.RawClient;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.patience.Patience;
import io.outboard.wire.Bytes;
import io.outboard.wire.Frame;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Refusal;
import io.outboard.wire.Resumption;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** A client whose session outlives its connection. For one thread. */
final class LastingClient {
  static final int WAIT_MS = Patience.milliseconds();

  /** A call of one word, and its answer. */
  static final long ONE = Frame.HEADER + 8;

  final Welcome welcome;
  RawClient client;
  private final Backend backend;

  LastingClient(Backend backend) throws IOException {
    this.backend = backend;
    int socket = backend.connect();
    welcome = Backend.greet(socket, "test", Bytes.zero(Message.IDENTITY), Hello.FLAG_LASTS);
    client = new RawClient(socket);
  }

  Token key() {
    return Token.none().derived("resume " + welcome.secret().hex());
  }

  /** A connection that has proven to be of this session, and has not said where it goes on. */
  int comeBack() throws IOException {
    return comeBack(backend, welcome.session(), key());
  }

  static int comeBack(Backend backend, Bytes session, Token key) throws IOException {
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

  static Hello returning(Bytes session) {
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

  /** Goes on; what the backend has of this side's bytes. */
  Resumption goOn(int epoch, long bytes) throws IOException {
    int socket = comeBack();
    try {
      Resumption theirs = agree(socket, epoch, bytes);
      client = new RawClient(socket);
      return theirs;
    } catch (IOException e) {
      Posix.close(socket);
      throw e;
    }
  }

  private static Resumption agree(int socket, int epoch, long bytes) throws IOException {
    MessageStream stream = new MessageStream(socket, WAIT_MS);
    stream.send(new Resumption(epoch, bytes).encode());
    byte[] answer = stream.receive();
    return Resumption.answered(answer)
        .orElseThrow(() -> new RefusedException(Refusal.decode(answer)));
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
