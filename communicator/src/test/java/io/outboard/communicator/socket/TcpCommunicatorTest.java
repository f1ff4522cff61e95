// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.Origin;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.patience.KernelThread;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TcpCommunicatorTest {
  private final TcpCommunicator communicator = new TcpCommunicator();
  private final Endpoint any = Endpoint.parse("tcp://127.0.0.1:0");

  @Test
  void aClientConnectsAndIsNotVouchedFor() throws Exception {
    try (Listener listener = communicator.listen(any, Listening.PLAIN)) {
      assertTrue(listener.endpoint().port() > 0);
      int client = communicator.connect(listener.endpoint());
      int server = listener.accept();
      assertFalse(listener.vouched(server));
      assertEquals(new Origin.Remote("127.0.0.1"), listener.origin(server));
      for (int socket : new int[] {client, server}) {
        assertEquals(1, Sockets.option(socket, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY));
        assertEquals(0, Posix.fcntl(socket, Posix.F_GETFL, 0) & Posix.O_NONBLOCK);
      }
      Connections.exchange(client, server);
      Posix.close(client);
      Posix.close(server);
    }
  }

  @Test
  void openAddressesNeedConsent() throws Exception {
    Endpoint open = Endpoint.parse("tcp://0.0.0.0:0");
    var error = assertThrows(IOException.class, () -> communicator.listen(open, Listening.PLAIN));
    assertTrue(error.getMessage().contains("--insecure-tcp"), error.getMessage());
    communicator
        .listen(open, new Listening(true, Optional.empty(), Optional.empty(), _ -> {}))
        .close();
  }

  @Test
  void whoIsNotThereIsAnError() throws Exception {
    Listener listener = communicator.listen(any, Listening.PLAIN);
    listener.close();
    Endpoint gone = listener.endpoint();
    var error = assertThrows(IOException.class, () -> communicator.connect(gone));
    assertEquals(
        "cannot connect to " + gone + ": Connection refused; is 'outboard serve' running there?",
        error.getMessage());
    Endpoint nowhere = Endpoint.parse("tcp://host.invalid");
    assertThrows(IOException.class, () -> communicator.connect(nowhere));
  }

  @Test
  void anAddressInUseIsAnError() throws Exception {
    try (Listener listener = communicator.listen(any, Listening.PLAIN)) {
      Endpoint taken = listener.endpoint();
      var error =
          assertThrows(IOException.class, () -> communicator.listen(taken, Listening.PLAIN));
      assertTrue(
          error.getMessage().endsWith("already; --listen names another place"), error.getMessage());
    }
  }

  @Test
  void closingEndsTheWaiting() throws Exception {
    Listener listener = communicator.listen(any, Listening.PLAIN);
    CompletableFuture<KernelThread> waits = new CompletableFuture<>();
    var waiting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                waits.complete(KernelThread.current());
                return listener.accept();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    Patience.get(waits).untilSleeps();
    listener.close();
    assertEquals(Listener.CLOSED, Patience.get(waiting));
  }
}
