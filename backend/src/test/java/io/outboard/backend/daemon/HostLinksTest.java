// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.supervision.OpenSessions;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.patience.Patience;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.HostLink;
import io.outboard.wire.Message;
import io.outboard.wire.Refusal;
import io.outboard.wire.Slot;
import io.outboard.wire.Token;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A link is made for who has its key, once; nobody else learns or gets anything. */
class HostLinksTest {
  private static final int TIMEOUT_MS = Patience.milliseconds();
  private static final Bytes SESSION = Bytes.random(Message.IDENTITY);

  private final Token token = Token.random();
  private final HostLinks links = new HostLinks(List.of());
  private final int[] pair = new int[2];

  @BeforeEach
  void open() throws IOException {
    Errno.check(Sockets.socketpair(pair), "socketpair");
  }

  @AfterEach
  void close() {
    Posix.close(pair[0]);
    Posix.close(pair[1]);
  }

  private static HostLink link() {
    return new HostLink(0, Bytes.random(Message.IDENTITY));
  }

  /** Returns whether it is done. */
  private boolean tell(HostLink link, Bytes session) throws IOException {
    MessageStream messages = new MessageStream(pair[0], TIMEOUT_MS);
    messages.send(link.encode());
    Optional<Token> proven = Optional.of(token);
    links.serve(
        pair[1],
        session,
        new OpenSessions.Opened(null, new Peer.Operator(), proven, Token.none(), false));
    boolean answered = Posix.poll(pair[0], Posix.POLLIN, 0) == Posix.POLLIN;
    return answered && HostLink.decode(messages.receive()).equals(link);
  }

  private Bytes proof(Claim claim) {
    Bytes nonce = Bytes.zero(Message.NONCE);
    return claim.proof().orElseThrow().clientProof(nonce, nonce);
  }

  @Test
  void aKeyOpensOneConnection() throws IOException {
    HostLink link = link();
    Token key = link.key(token);
    assertTrue(tell(link, SESSION));
    Bytes nonce = Bytes.zero(Message.NONCE);
    assertEquals(key.clientProof(nonce, nonce), proof(links.claim(key.name())));
    assertEquals(Optional.of(SESSION), links.take(key.name()));
    assertEquals(Optional.empty(), links.take(key.name()));
    assertNotEquals(key.clientProof(nonce, nonce), proof(links.claim(key.name())));
  }

  /** A listener that has heard the nonce, but not the token, has not the key. */
  @Test
  void theNonceAloneIsNoKey() throws IOException {
    HostLink link = link();
    assertTrue(tell(link, SESSION));
    assertEquals(Optional.empty(), links.take(link.key(Token.none()).name()));
    assertEquals(Optional.empty(), links.take(link.key(Token.random()).name()));
  }

  @Test
  void aSessionAwaitsSoManyAtMost() throws IOException {
    for (int i = 1; i < Slot.MOST; i++) {
      assertTrue(tell(link(), SESSION));
    }
    assertFalse(tell(link(), SESSION));
    assertTrue(tell(link(), Bytes.random(Message.IDENTITY)));
  }

  /** No operator has named a backend that copies may go to. */
  @Test
  void nobodyIsConnectedTo() throws IOException {
    assertFalse(tell(new HostLink(2, Bytes.random(Message.IDENTITY)), SESSION));
  }

  @Test
  void aSlotThatThereIsNotIsRefused() throws IOException {
    assertFalse(tell(new HostLink(Slot.MOST, Bytes.random(Message.IDENTITY)), SESSION));
  }

  /** Also where the kernel vouches for the stranger. */
  @Test
  void strangersAreTurnedAway(@TempDir Path folder) throws IOException {
    Endpoint endpoint = Endpoint.unix(folder.resolve("s").toString());
    DaemonBuilder builder =
        Daemon.builder().devices("software").spareWorkers(0).token(token).listen(endpoint);
    try (Daemon _ = builder.start()) {
      for (int flag : new int[] {Hello.FLAG_LINK, Hello.FLAG_LINKS}) {
        int socket = Communicator.of(endpoint).connect(endpoint);
        Hello hello = HostLinks.further(flag, Bytes.random(Message.IDENTITY));
        RefusedException refused =
            assertThrows(
                RefusedException.class,
                () -> GreetingClient.greet(socket, hello, true, Optional.of(token), TIMEOUT_MS));
        assertEquals(Refusal.SESSION, refused.refusal().code());
        Posix.close(socket);
      }
    }
  }
}
