// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines of a request. */
final class RequestTest {
  private static final String CHUNKED =
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";

  private static Request read(String text) throws Exception {
    HttpInput in = new HttpInput(new ByteArrayInputStream(text.getBytes(ISO_8859_1)));
    in.hasNext();
    return Request.read(
        in, Origin.clear(InetAddress.getLoopbackAddress()), Request.MOST_BYTES, () -> {});
  }

  @Test
  void eachLineEndsWithBoth() throws Exception {
    Request request = read(CHUNKED + "1;a=b\r\nx\r\n0\r\nT: y\r\n\r\n");
    assertArrayEquals(new byte[] {'x'}, request.body());
  }

  /** A server that tries all ways to divide the spaces is busy for hours. */
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
  void spacesAroundAValueCostNoTime() throws Exception {
    String spaces = " ".repeat(HttpInput.MOST_HEAD - 100);
    String head = "GET / HTTP/1.1\r\nHost: x\r\nA:";
    assertEquals("b", read(head + spaces + "b\t\r\n\r\n").headers().get("a"));
    assertThrows(Problem.class, () -> read(head + spaces + "\1\r\n\r\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\n\n",
        "GET / HTTP/1.1\r\nHost: x\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n\n",
        "GET / HTTP/1.1\r\nHost: x\r\rA: b\r\n\r\n",
        CHUNKED + "1\nx\r\n0\r\n\r\n",
        CHUNKED + "1\r\nx\n0\r\n\r\n",
        CHUNKED + "1;a\rb\r\nx\r\n0\r\n\r\n",
        CHUNKED + "1\r\nx\r\n0\r\nT: y\n\r\n",
      })
  void aLineWithAnotherEndIsRefused(String text) {
    assertThrows(Problem.class, () -> read(text));
  }
}
