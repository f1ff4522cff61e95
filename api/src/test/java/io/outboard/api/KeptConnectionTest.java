// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeptConnectionTest {
  private static final String REQUEST = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

  @TempDir private Path folder;

  /**
   * A body that follows its head as a piece of its own waits for the client's kernel to acknowledge
   * the head, which takes 40 ms from the second request on.
   */
  @Test
  void eachAnswerComesInOnePiece() throws IOException {
    try (TestServer server = new TestServer(folder);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort())) {
      byte[] answer = new byte[4_096];
      for (int i = 0; i < 5; i++) {
        socket.getOutputStream().write(REQUEST.getBytes(ISO_8859_1));
        String text = new String(answer, 0, socket.getInputStream().read(answer), ISO_8859_1);
        assertTrue(text.endsWith("\r\n\r\n{\"status\": \"ok\"}"), text);
      }
    }
  }
}
