// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.greeting;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.patience.Patience;
import io.outboard.wire.Answer;
import io.outboard.wire.Bytes;
import io.outboard.wire.Challenge;
import io.outboard.wire.Hello;
import io.outboard.wire.Native;
import io.outboard.wire.Proof;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Refusal;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GreetingTest {
  private static final int PLENTY_MS = Patience.milliseconds();

  private final int[] pair = new int[2];
  private final Token token = Token.random();
  private final Hello hello = hello(1, 1);

  private static Hello hello(int lowest, int highest) {
    return new Hello(
        lowest,
        highest,
        42,
        Bytes.zero(16),
        Bytes.random(32),
        0,
        List.of(new Hello.Library("toy", 1, 2, Bytes.zero(16))),
        new LinkedHashMap<>(),
        "test");
  }

  @BeforeEach
  void open() {
    Sockets.socketpair(pair);
  }

  @AfterEach
  void close() {
    Posix.close(pair[0]);
    Posix.close(pair[1]);
  }

  private Claims claims(boolean vouched) {
    Peer operator = new Peer.Operator();
    return _ -> vouched ? Claim.vouched(operator) : Claim.proving(token, operator);
  }

  private CompletableFuture<Greeted> serve(boolean vouched, int timeoutMs) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return GreetingServer.receive(pair[0], claims(vouched), timeoutMs);
          } catch (IOException e) {
            throw new CompletionException(e);
          }
        });
  }

  /** A backend that welcomes who has been greeted. */
  private CompletableFuture<Greeted> welcome(boolean vouched) {
    return serve(vouched, PLENTY_MS)
        .thenApply(
            greeted -> {
              send(pair[0], welcome(greeted.serverProof()).encode());
              return greeted;
            });
  }

  private static Welcome welcome(Bytes proof) {
    return new Welcome(1, Bytes.random(16), Bytes.random(16), proof, List.of());
  }

  private static void send(int fd, byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment room = arena.allocateFrom(JAVA_BYTE, bytes);
      assertEquals(bytes.length, Posix.write(fd, room.address(), bytes.length));
    }
  }

  private Welcome greet(boolean vouched, Optional<Token> token) throws IOException {
    return GreetingClient.greet(pair[1], hello, vouched, token, PLENTY_MS);
  }

  private static <T extends Throwable> T failure(Class<T> type, CompletableFuture<?> future) {
    var error = assertThrows(ExecutionException.class, () -> Patience.get(future));
    return assertInstanceOf(type, error.getCause());
  }

  @Test
  void aVouchedClientNeedsNoToken() throws Exception {
    var server = welcome(true);
    Welcome welcome = greet(true, Optional.empty());
    assertTrue(welcome.proof().isZero());
    assertEquals(hello, server.get().hello());
  }

  @Test
  void aChallengedClientProvesTheTokenAndSoDoesTheBackend() throws Exception {
    var server = welcome(false);
    Welcome welcome = greet(false, Optional.of(token));
    assertFalse(welcome.proof().isZero());
    assertEquals(welcome.proof(), server.get().serverProof());
  }

  @Test
  void aWrongTokenIsRefused() throws Exception {
    var server = serve(false, PLENTY_MS);
    var error =
        assertThrows(RefusedException.class, () -> greet(false, Optional.of(Token.random())));
    assertEquals(Refusal.TOKEN, error.refusal().code());
    assertEquals(Refusal.TOKEN, failure(RefusedException.class, server).refusal().code());
  }

  @Test
  void aMissingTokenIsAnError() {
    var server = serve(false, PLENTY_MS);
    var error = assertThrows(IOException.class, () -> greet(false, Optional.empty()));
    assertTrue(error.getMessage().startsWith("the backend wants a token: set OUTBOARD_TOKEN"));
    Sockets.shutdown(pair[1], Sockets.SHUT_RDWR);
    assertEquals("the peer has gone", failure(IOException.class, server).getMessage());
  }

  @Test
  void aSilentBackendIsSaidToBeOne() {
    var error =
        assertThrows(
            IOException.class,
            () -> GreetingClient.greet(pair[1], hello, true, Optional.empty(), 1));
    assertTrue(error.getMessage().startsWith("the backend has not answered"), error::toString);
  }

  @Test
  void aBackendWithoutTheTokenIsNotTrusted() {
    answer(new Challenge(Bytes.random(32)), welcome(Bytes.random(32)));
    var wrong = assertThrows(IOException.class, () -> greet(false, Optional.of(token)));
    assertEquals("the backend has not the token", wrong.getMessage());
  }

  @Test
  void aBackendElsewhereThatDoesNotProveItselfIsNotTrusted() {
    answer(welcome(Bytes.zero(32)));
    var none = assertThrows(IOException.class, () -> greet(false, Optional.of(token)));
    assertEquals("the backend did not prove that it has the token", none.getMessage());
  }

  private void answer(Answer... answers) {
    for (Answer answer : answers) {
      send(pair[0], answer.encode());
    }
  }

  @Test
  void aStrangeVersionIsRefused() throws Exception {
    var server = serve(true, PLENTY_MS);
    Hello later = hello(7, 9);
    var error =
        assertThrows(
            RefusedException.class,
            () -> GreetingClient.greet(pair[1], later, true, Optional.empty(), PLENTY_MS));
    assertEquals(Refusal.VERSION, error.refusal().code());
    assertTrue(error.getMessage().contains("versions 1 to 1, the client 7 to 9"));
    failure(RefusedException.class, server);
  }

  @Test
  void nothingIsReadBeyondTheMessages() throws Exception {
    byte[] first = hello.encode();
    byte[] both = Arrays.copyOf(first, first.length + 8);
    both[first.length] = 77;
    send(pair[1], both);
    serve(true, PLENTY_MS).get();
    try (Arena arena = Arena.ofConfined()) {
      long room = arena.allocate(64).address();
      assertEquals(8, Posix.read(pair[0], room, 64));
      assertEquals(77, Native.getByte(room));
    }
  }

  @Test
  void aSilentClientIsGivenUp() {
    var error = failure(IOException.class, serve(true, 50));
    assertEquals("the peer takes too long", error.getMessage());
  }

  @Test
  void aClientThatDripsIsGivenUp() throws Exception {
    var server = serve(true, 300);
    byte[] bytes = hello.encode();
    for (int i = 0; i < bytes.length - 1 && !server.isDone(); i++) {
      send(pair[1], new byte[] {bytes[i]});
      Thread.sleep(20);
    }
    failure(IOException.class, server);
  }

  @Test
  void aPeerThatSpeaksTlsAloneIsKnown() {
    send(pair[0], new byte[] {21, 3, 3, 0, 2, 2, 40});
    Sockets.shutdown(pair[0], Sockets.SHUT_WR);
    var error = assertThrows(ProtocolException.class, () -> greet(true, Optional.empty()));
    assertEquals("it speaks TLS alone: say tls://", error.getMessage());
  }

  @Test
  void aClientThatGoesIsGivenUp() {
    var server = serve(true, PLENTY_MS);
    send(pair[1], Arrays.copyOf(hello.encode(), 24));
    Sockets.shutdown(pair[1], Sockets.SHUT_WR);
    assertEquals("the peer has gone", failure(IOException.class, server).getMessage());
  }

  @Test
  void aClientThatSpeaksSomethingElseIsToldSo() throws Exception {
    var server = serve(true, PLENTY_MS);
    send(pair[1], "GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
    assertEquals(Refusal.MALFORMED, failure(RefusedException.class, server).refusal().code());
    Refusal refusal = assertInstanceOf(Refusal.class, received());
    assertEquals("this is not Outboard's protocol", refusal.text());
  }

  @Test
  void aDamagedProofIsRefused() throws Exception {
    var server = serve(false, PLENTY_MS);
    send(pair[1], hello.encode());
    assertInstanceOf(Challenge.class, received());
    byte[] proof = new Proof(Bytes.zero(32)).encode();
    proof[8] = 4;
    send(pair[1], proof);
    assertInstanceOf(Refusal.class, received());
    failure(RefusedException.class, server);
  }

  private Answer received() throws IOException {
    return Answer.decode(new MessageStream(pair[1], PLENTY_MS).receive());
  }

  @Test
  void noiseIsTurnedAwayWhateverItIs() {
    Random random = new Random(5);
    for (int i = 0; i < 300; i++) {
      close();
      open();
      byte[] noise = hello.encode();
      for (int j = 1 + random.nextInt(3); j > 0; j--) {
        noise[random.nextInt(noise.length)] ^= (byte) (1 + random.nextInt(255));
      }
      send(pair[1], noise);
      Sockets.shutdown(pair[1], Sockets.SHUT_WR);
      try {
        GreetingServer.receive(pair[0], claims(true), PLENTY_MS);
      } catch (IOException e) {
        assertFalse(e.getMessage().isEmpty());
      }
    }
  }
}
