// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The daemon and communicators that it knows nothing of but what they say of themselves. */
@Timeout(120)
class CapabilitiesTest {
  private static final int PATIENCE_MS = 30_000;

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
    Hello hello =
        new Hello(
            Message.OLDEST,
            Message.VERSION,
            (int) ProcessHandle.current().pid(),
            Bytes.zero(Message.IDENTITY),
            Bytes.random(Message.NONCE),
            Hello.FLAG_REGIONS,
            List.of(),
            new LinkedHashMap<>(),
            "test");
    int socket = Communicator.of(endpoint).connect(endpoint);
    try {
      return GreetingClient.greet(socket, hello, false, token, PATIENCE_MS);
    } finally {
      Posix.close(socket);
    }
  }

  @Test
  void memoryIsSharedOverAnyCommunicatorThatCan() throws IOException {
    Endpoint fake = endpoint("fake");
    try (Daemon _ = daemon(fake)) {
      assertTrue(greet(fake, Optional.of(token)).region());
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
