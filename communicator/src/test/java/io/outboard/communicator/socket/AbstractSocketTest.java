// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.communicator.Listener;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.wire.Bytes;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class AbstractSocketTest {
  private final String name = "outboard-test-" + Bytes.random(16).hex();

  @Test
  void whoKnowsTheNameConnects() throws IOException {
    try (Listener listener = AbstractSocket.listen(name)) {
      int client = AbstractSocket.connect(name);
      int accepted = listener.accept();
      assertEquals(ProcessHandle.current().pid(), Sockets.peerProcess(accepted));
      assertThrows(IOException.class, () -> AbstractSocket.listen(name));
      Posix.close(client);
      Posix.close(accepted);
    }
  }

  @Test
  void nothingIsLeftOfIt() throws IOException {
    AbstractSocket.listen(name).close();
    assertThrows(IOException.class, () -> AbstractSocket.connect(name));
    AbstractSocket.listen(name).close();
  }
}
