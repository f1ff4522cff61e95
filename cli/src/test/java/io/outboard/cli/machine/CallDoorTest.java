// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.machine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The door of a service that answers each call with what it has read. */
final class CallDoorTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static String call(CallDoor door) throws IOException {
    try (Socket caller = new Socket(door.address().getAddress(), door.address().getPort())) {
      caller.getOutputStream().write("hello".getBytes(UTF_8));
      caller.shutdownOutput();
      return new String(caller.getInputStream().readAllBytes(), UTF_8);
    }
  }

  private static void answer(ServerSocket service) {
    try (Socket one = service.accept()) {
      one.getOutputStream().write(one.getInputStream().readAllBytes());
    } catch (IOException e) {
      // The test fails.
    }
  }

  @Test
  void aCallWakesTheMachineAndPassesThrough() throws Exception {
    AtomicInteger woken = new AtomicInteger();
    try (ServerSocket service = new ServerSocket(0);
        CallDoor door =
            new CallDoor(
                ANY,
                () -> {
                  woken.incrementAndGet();
                  return new InetSocketAddress(
                      InetAddress.getLoopbackAddress(), service.getLocalPort());
                })) {
      Thread.ofVirtual().start(() -> answer(service));
      assertEquals("hello", call(door));
      assertEquals(1, woken.get());
      Patience.until("the call is over", () -> door.idle().compareTo(Duration.ZERO) > 0);
    }
  }

  @Test
  void aCallThatCannotBeAnsweredEndsAndIsNone() throws Exception {
    try (CallDoor door =
        new CallDoor(
            ANY,
            () -> {
              throw new IOException("the machine has ended");
            })) {
      try {
        assertEquals("", call(door));
      } catch (IOException e) {
        assertTrue(e.getMessage().contains("reset") || e.getMessage().contains("pipe"));
      }
      Patience.until("nobody calls", () -> door.idle().compareTo(Duration.ZERO) > 0);
    }
  }
}
