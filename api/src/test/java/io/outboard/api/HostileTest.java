// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.account.Role;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests of somebody who means harm: a documented refusal or a hang-up, and nobody else feels it.
 */
@Execution(ExecutionMode.CONCURRENT)
final class HostileTest {
  private static final long SEED = 20261121;
  private static final int MOST_WAIT_MS = Patience.milliseconds();

  @TempDir private Path folder;
  private TestServer server;
  private String operator;

  @BeforeEach
  void open() throws IOException {
    server = new TestServer(folder);
    operator = server.token(Role.OPERATOR, "");
  }

  @AfterEach
  void close() throws Exception {
    assertEquals(200, server.get("/readyz", "").status(), "it serves others");
    server.close();
  }

  /** Sends bytes, which are all; returns what comes. */
  private String send(String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort())) {
      socket.setSoTimeout(MOST_WAIT_MS);
      try {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        socket.shutdownOutput();
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      } catch (java.net.SocketException e) {
        // It has hung up while we wrote.
        return "";
      }
    }
  }

  private static String status(String answer) {
    return answer.isEmpty() ? "" : answer.split(" ", 3)[1];
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/../../etc/passwd",
        "/v1/leases/../tokens",
        "/v1/leases/%2e%2e/tokens",
        "/v1//leases",
        "/v1/leases/",
        "//v1/leases",
        "/v1/leases;a=b",
        "/V1/leases",
        "/v1/leases%00",
        "/v1%2fleases",
        "/v1/leases/a/b/c/d",
        "/%",
        "/\\..\\",
        "*",
        "http://elsewhere/v1/leases",
        "/v1/leases?all=maybe",
        "/v1/leases?all=true&all=true",
        "/v1/leases?%zz=1",
        "/v1/usage?limit=0",
        "/v1/usage?limit=99999999999999999999",
        "/v1/usage?since=yesterday",
      })
  void pathTricksAreRefused(String path) throws IOException {
    String answer =
        send(
            "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n"
                .formatted(path, operator));
    boolean absolute = path.startsWith("http://");
    assertTrue(status(answer).matches(absolute ? "200|4.." : "4.."), () -> path + ": " + answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PATCH", "DELETE", "OPTIONS", "TRACE", "HEAD", "get", "PUT", "X"})
  void otherMethodsAreRefused(String method) throws IOException {
    String answer = send(method + " /v1/leases HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assertEquals("405", status(answer), answer);
  }

  @Test
  void aHugeBodyIsRefused() throws Exception {
    TestServer.Answer answer =
        server.post("/v1/leases", operator, "{\"model\": \"" + "x".repeat(70_000) + "\"}");
    assertEquals(413, answer.status());
    String claimed =
        send(
            "POST /v1/leases HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n%s"
                .formatted(operator, "x".repeat(100_000)));
    assertTrue(status(claimed).matches("|413"), claimed);
  }

  @Test
  void aBodyOfAnotherTypeIsRefused() throws Exception {
    for (String type :
        List.of("text/plain", "application/x-www-form-urlencoded", "application/jsonx")) {
      assertEquals(
          415, server.ask("POST", "/v1/leases", operator, "{\"seconds\": 1}", type).status());
    }
    assertEquals(
        201,
        server
            .ask(
                "POST",
                "/v1/leases",
                operator,
                "{\"seconds\": 1}",
                "Application/JSON; charset=utf-8")
            .status());
  }

  @Test
  void textThatIsNoRequestHurtsNobody() throws IOException {
    Random random = new Random(SEED);
    for (int round = 0; round < 300; round++) {
      byte[] noise = new byte[1 + random.nextInt(400)];
      random.nextBytes(noise);
      String text = new String(noise, ISO_8859_1);
      String sent = round % 2 == 0 ? text : damaged(random);
      String answer = send(sent);
      assertFalse(status(answer).startsWith("5"), () -> sent + " -> " + answer);
    }
  }

  private String damaged(Random random) {
    StringBuilder request =
        new StringBuilder(
            ("POST /v1/leases HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 15\r\nConnection: close\r\n\r\n{\"seconds\": 60}")
                .formatted(operator));
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      request.setCharAt(random.nextInt(request.length()), (char) random.nextInt(256));
    }
    return request.toString();
  }

  /** They steer terminals and logs, and PostgreSQL has no NUL. */
  @ParameterizedTest
  @ValueSource(strings = {"\\u0000", "a\\nb", "\\u001b[2J", "\\u009b2J", "\\u007f"})
  void controlCharactersAreRefused(String text) throws Exception {
    for (String name :
        List.of("model", "profile", "consumer", "consumerId", "user", "fqan", "site")) {
      String body = "{\"seconds\": 60, \"%s\": \"%s\"}".formatted(name, text);
      assertEquals(400, server.post("/v1/leases", operator, body).status(), body);
    }
  }

  /** The store would refuse these, with a trace in the log for each report. */
  @Test
  void aNodesDevicesAreNamedOnceAndInALine() throws Exception {
    String secret = server.pool().members().join("n1", server.pool().members().invite("n1"));
    String one = device(0, "GPU-a", "m");
    assertEquals(200, report(secret, one));
    assertEquals(400, report(secret, one + ", " + device(1, "GPU-a", "m")));
    assertEquals(400, report(secret, one + ", " + device(0, "GPU-b", "m")));
    assertEquals(400, report(secret, device(0, "GPU-\\u0000", "m")));
    assertEquals(400, report(secret, device(0, "GPU-a", "\\u001b[2J")));
  }

  private static String device(int number, String uuid, String model) {
    return "{\"number\": %d, \"uuid\": \"%s\", \"model\": \"%s\", \"memory\": 1, \"arch\": \"\"}"
        .formatted(number, uuid, model);
  }

  private int report(String secret, String devices) throws Exception {
    String report =
        "{\"term\": 0, \"version\": 0, \"taken\": 0, \"endpoints\": [], \"gpus\": [%s], \"leases\": []}"
            .formatted(devices);
    return server.post("/v1/pool/n1/report", secret, report).status();
  }

  @Test
  void manyHeadersAreRefused() throws IOException {
    String many = "X-A: b\r\n".repeat(5_000);
    String answer = send("GET /healthz HTTP/1.1\r\nHost: x\r\n" + many + "\r\n");
    assertFalse(status(answer).matches("200|5.."), answer);
  }

  @Test
  void whoSendsNothingIsHungUpOnAndHoldsUpNobody() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 50; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort());
        socket.setSoTimeout(MOST_WAIT_MS);
        socket
            .getOutputStream()
            .write("POST /v1/leases HTTP/1.1\r\nHost: x\r\n".getBytes(ISO_8859_1));
        silent.add(socket);
      }
      assertEquals(200, server.get("/healthz", "").status());
      assertTrue(isAwaited(silent.getLast()), "it was answered after the silent");
      for (Socket socket : silent) {
        assertHungUp(socket);
      }
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  /** Whether nothing has come, and no end either. */
  private static boolean isAwaited(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      return socket.getInputStream().read() == Integer.MIN_VALUE;
    } catch (java.net.SocketTimeoutException e) {
      return true;
    } finally {
      socket.setSoTimeout(MOST_WAIT_MS);
    }
  }

  private static void assertHungUp(Socket socket) throws IOException {
    try {
      while (socket.getInputStream().read() >= 0) {
        // An answer of ours, if any.
      }
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("it still waits for a request", e);
    } catch (java.net.SocketException e) {
      // Hung up.
    }
  }
}
