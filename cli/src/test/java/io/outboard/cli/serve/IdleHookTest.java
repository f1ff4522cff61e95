// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.IdleStep;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.patience.Patience;
import io.outboard.pool.idle.IdleEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class IdleHookTest {
  private static final int EVENTS = 200;

  private static IdleEvent event(Duration next) {
    LeaseRequest request = LeaseRequest.builder().tenant("a").duration(Duration.ofHours(1)).build();
    Lease lease = Lease.requested("one", request, Instant.EPOCH);
    return new IdleEvent(IdleStep.NOTIFY, lease, Duration.ofMinutes(10), next);
  }

  private static void says(String seconds, Duration next) {
    String json = IdleHook.json(event(next));
    assertTrue(json.endsWith("\"nextStepSeconds\": " + seconds + "}"), json);
  }

  @Test
  void whatIsStillToComeIsNotAtZero() {
    says("null", Duration.ZERO);
    says("1", Duration.ofMillis(3));
    says("5", Duration.ofSeconds(5));
    says("6", Duration.ofMillis(5001));
  }

  /** Whether the other side still waits for an answer to what it has sent. */
  private static boolean isAwaited(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      while (socket.getInputStream().read() >= 0) {
        // Its request.
      }
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }

  /** The address says how an answer begins, to as many as may be under way. */
  @Test
  void anAddressThatStopsInItsAnswersIsToldAgain() throws Exception {
    try (ServerSocket slow = new ServerSocket(0, EVENTS, InetAddress.getLoopbackAddress())) {
      URI address = URI.create("http://127.0.0.1:" + slow.getLocalPort() + "/");
      IdleHook hook = new IdleHook(address, Duration.ofMillis(100));
      for (int i = 0; i < EVENTS; i++) {
        Patience.until("there is room", () -> tells(hook, slow));
      }
    }
  }

  private static boolean tells(IdleHook hook, ServerSocket slow) throws IOException {
    hook.accept(event(Duration.ZERO));
    slow.setSoTimeout(200);
    try {
      Socket one = slow.accept();
      one.getOutputStream()
          .write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n".getBytes(US_ASCII));
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  /** The address takes connections and says nothing. */
  @Test
  void nothingWaitsForAnAddressThatHangs() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, EVENTS, InetAddress.getLoopbackAddress())) {
      IdleHook hook = new IdleHook(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/"));
      hook.accept(event(Duration.ZERO));
      Socket first = silent.accept();
      for (int i = 0; i < EVENTS; i++) {
        hook.accept(event(Duration.ZERO));
      }
      assertTrue(isAwaited(first), "the first has been given up already");
      first.close();
    }
  }
}
