// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.api.console.LiveStreams;
import io.outboard.lease.account.Role;
import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console as a browser gets it, without one: its files, what it may, and its streams. */
final class ConsolePageTest {
  private static final Pattern LINK =
      Pattern.compile("(?:src|href)=\"([^\"]+)\"|from \"([^\"]+)\"");

  @TempDir private Path folder;
  private TestServer server;

  @BeforeEach
  void open() throws Exception {
    server = new TestServer(folder);
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** Sends a request with these headers, as a browser would; returns all of the answer. */
  private String get(String path, String... headers) throws Exception {
    try (Socket socket = connect(path, headers)) {
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private Socket connect(String path, String... headers) throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort());
    socket.setSoTimeout(Patience.milliseconds());
    String more = headers.length == 0 ? "Host: 127.0.0.1" : String.join("\r\n", headers);
    String request = "GET %s HTTP/1.1\r\n%s\r\nConnection: close\r\n\r\n".formatted(path, more);
    socket.getOutputStream().write(request.getBytes(ISO_8859_1));
    return socket;
  }

  private static String status(String answer) {
    return answer.split(" ", 3)[1];
  }

  /** All that a file names is there too, and nothing elsewhere is named. */
  @Test
  void allThatThePageNeedsIsServed() throws Exception {
    Set<String> seen = new HashSet<>();
    List<String> left = new ArrayList<>(List.of("/console/"));
    while (!left.isEmpty()) {
      String path = left.removeLast();
      if (seen.add(path)) {
        String answer = get(path);
        assertEquals("200", status(answer), path);
        LINK.matcher(path.endsWith("plot.js") ? "" : answer)
            .results()
            .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
            .map(name -> "/console/" + name.replaceFirst("^\\./", ""))
            .forEach(left::add);
      }
    }
    assertTrue(seen.containsAll(Set.of("/console/preact.js", "/console/views.js")), seen::toString);
    assertEquals("308", status(get("/")));
    assertTrue(get("/console").contains("Location: /console/\r\n"));
    for (String wrong : List.of("/console/..", "/console/main.js/", "/console/%2e%2e/x")) {
      assertEquals("404", status(get(wrong)), wrong);
    }
  }

  @Test
  void nothingFromElsewhereMayRunInIt() throws Exception {
    String answer = get("/console/");
    assertTrue(
        answer.contains(
            "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self';"),
        answer);
    assertTrue(answer.contains("frame-ancestors 'none'"), answer);
    assertTrue(answer.contains("Referrer-Policy: no-referrer\r\n"), answer);
    assertFalse(answer.contains("Set-Cookie"), answer);
    assertFalse(answer.contains("<style") || answer.contains(" style="), answer);
    assertFalse(get("/console/server.js").contains("localStorage"));
  }

  /** A name of somebody else's that leads here gets nothing (DNS rebinding). */
  @Test
  void anotherNameThatLeadsHereGetsNothing() throws Exception {
    for (String host : List.of("evil.example", "evil.example:8471", "127.0.0.1.evil.example", "")) {
      assertEquals("421", status(get("/console/", "Host: " + host)), host);
      assertEquals("421", status(get("/", "Host: " + host)), host);
    }
    for (String host :
        List.of("localhost", "LOCALHOST:1", "127.0.0.1:8471", "[::1]:8471", "node")) {
      assertEquals("200", status(get("/console/", "Host: " + host)), host);
    }
  }

  /** A page of somebody else's that has a browser ask is refused, whatever it brings. */
  @Test
  void aRequestOfAnotherPageIsRefused() throws Exception {
    String token = "Authorization: Bearer " + server.token(Role.OPERATOR, "");
    String host = "Host: 127.0.0.1:1";
    String path = "/v1/leases";
    assertEquals("200", status(get(path, host, token)));
    assertEquals("200", status(get(path, host, token, "Origin: http://127.0.0.1:1")));
    assertEquals("200", status(get(path, host, token, "Sec-Fetch-Site: same-origin")));
    assertEquals("403", status(get(path, host, token, "Origin: http://evil.example")));
    assertEquals("403", status(get(path, host, token, "Origin: null")));
    assertEquals("403", status(get(path, host, token, "Sec-Fetch-Site: cross-site")));
    assertEquals("403", status(get(path, host, token, "Sec-Fetch-Site: same-site")));
    String link = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate";
    assertEquals("200", status(get("/openapi.json", host, link)));
    assertEquals("403", status(get("/openapi.json", host, link, "Origin: null")));
    assertEquals(
        "421", status(get(path, "Host: evil.example", token, "Origin: http://evil.example")));
  }

  @Test
  void aStreamTellsOfEachChangeAndAsksForAToken() throws Exception {
    String path = "/v1/views/queue/live";
    assertEquals("401", status(get(path)));
    String token = server.token(Role.READER, "a");
    String lease = "{\"seconds\": 600, \"gpus\": 4}";
    String user = server.token(Role.USER, "a");
    try (Socket socket = connect(path, "Host: x", "Authorization: Bearer " + token)) {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
      assertEquals(0, next(lines).get("total").asInt());
      server.post("/v1/leases", server.token(Role.USER, "b"), lease);
      server.post("/v1/leases", user, lease);
      JsonNode page = next(lines);
      while (page.get("total").asInt() == 0) {
        page = next(lines);
      }
      assertEquals("a", page.get("rows").get(0).get("tenant").asText(), page::toString);
      assertEquals("room", page.get("rows").get(0).get("cause").asText(), page::toString);
    }
  }

  private static JsonNode next(BufferedReader lines) throws Exception {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("data: ")) {
        return new ObjectMapper().readTree(line.substring("data: ".length()));
      }
    }
    throw new AssertionError("the stream has ended");
  }

  /** One of a holder who has too many says so, and ends; another's does not. */
  @Test
  void streamsOfATokenAreBounded() throws Exception {
    String path = "/v1/views/overview/live";
    String greedy = "Authorization: Bearer " + server.token(Role.READER, "a");
    List<Socket> open = new ArrayList<>();
    try {
      for (int i = 0; i < LiveStreams.MOST_OF_TOKEN; i++) {
        Socket socket = connect(path, "Host: x", greedy);
        open.add(socket);
        next(new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1)));
      }
      assertTrue(get(path, "Host: x", greedy).contains("event: full\n"));
      String other = "Authorization: Bearer " + server.token(Role.READER, "b");
      try (Socket socket = connect(path, "Host: x", other)) {
        next(new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1)));
      }
      assertEquals(200, server.get("/healthz", "").status());
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }
}
