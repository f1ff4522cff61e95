// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Posix;
import io.outboard.patience.Patience;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Refusal;
import io.outboard.wire.Slot;
import io.outboard.wire.Token;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Which backends cannot be joined is said when the daemon starts. */
class JoinedHostsTest {
  private static final int TIMEOUT_MS = Patience.milliseconds();

  @TempDir private Path folder;
  private final Token token = Token.random();

  private Endpoint endpoint(String name) {
    return Endpoint.unix(folder.resolve(name).toString());
  }

  private DaemonBuilder daemon(String name) {
    return Daemon.builder().devices("software").spareWorkers(0).token(token).listen(endpoint(name));
  }

  private String refusal(List<Endpoint> joined, Token theirs) {
    DaemonBuilder builder = daemon("near").join(joined, theirs);
    return assertThrows(IOException.class, builder::start).getMessage();
  }

  @Test
  void notThisOneItself() {
    Endpoint here = endpoint("near");
    assertEquals(
        "--join %s: that is this backend itself, which cannot be joined again".formatted(here),
        refusal(List.of(here), token));
  }

  @Test
  void notOneTwice() throws IOException {
    Endpoint there = endpoint("far");
    try (Daemon _ = daemon("far").start()) {
      assertEquals(
          "--join %1$s: that is %1$s, which cannot be joined again".formatted(there),
          refusal(List.of(there, there), token));
    }
  }

  /** It is asked anew: a backend that was not there at the start may be this one itself. */
  @Test
  void notOneThatHasJoinedOthers() throws IOException {
    Endpoint here = endpoint("near");
    try (Daemon _ = daemon("far").start();
        Daemon _ = daemon("near").join(List.of(endpoint("far")), token).start()) {
      int socket = Communicator.of(here).connect(here);
      Hello hello = HostLinks.further(0, Bytes.zero(Message.IDENTITY)).in(new Slot(1));
      Executable greeting =
          () -> GreetingClient.greet(socket, hello, true, Optional.of(token), TIMEOUT_MS);
      RefusedException refused = assertThrows(RefusedException.class, greeting);
      assertEquals(Refusal.LIMIT, refused.refusal().code());
      Posix.close(socket);
    }
  }

  @Test
  void notOneWhoseTokenNobodyHas() {
    String refusal = refusal(List.of(Endpoint.parse("tcp://127.0.0.1:1")), null);
    assertTrue(refusal.contains("--join-token-file has to have its token"), refusal);
  }
}
