// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client of several sites: two real ones, one with more GPUs than the other; one that is dead;
 * one that promises everything and gives nothing; one whose document has no end.
 */
final class SitesTest {
  private static final String PROGRAM = Home.EXAMPLES.resolve("driver/vectorAdd").toString();
  private static final int PROMISES = 64;

  @TempDir private Path home;
  private Launcher user;
  private final List<Real> real = new ArrayList<>();
  private final List<ServerSocket> liars = new ArrayList<>();
  private Real campus;
  private Real lab;

  /** A backend with its HTTP interface, in a home of its own. */
  private final class Real {
    private final Launcher outboard;
    private final Process process;
    private final String api;

    Real(String name, int gpus) throws IOException {
      outboard = new Launcher(Files.createDirectory(home.resolve(name)));
      process =
          outboard.start(
              "serve",
              "--workers=1",
              "--device=software:" + gpus,
              "--require-lease",
              "--api=http://127.0.0.1:0");
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
      api = outboard.awaitLine(lines, "api at ");
      real.add(this);
    }

    String keys(String name) {
      return keysOf(name, "unix:" + outboard.socket(), api);
    }

    void end() throws InterruptedException {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
      if (!process.waitFor(Patience.LIMIT)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError("a backend did not end when told to");
      }
    }
  }

  private static String keysOf(String name, String backend, String api) {
    return "site.%1$s.backend = %2$s\nsite.%1$s.api = %3$s\n".formatted(name, backend, api);
  }

  /** Answers each question with the same head and with the same body again and again. */
  private String lying(String head, String body, boolean endless) throws IOException {
    ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    liars.add(server);
    Thread unused =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!server.isClosed()) {
                    try (Socket client = server.accept()) {
                      client.getOutputStream().write(head.getBytes(US_ASCII));
                      do {
                        client.getOutputStream().write(body.getBytes(US_ASCII));
                      } while (endless);
                    } catch (IOException e) {
                      // The client has gone, or the test is over.
                    }
                  }
                });
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  private String promising() throws IOException {
    String document =
        """
        {"CloudComputingManagerAccelerator":
          [{"Name": "NVIDIA H200", "TotalNumber": %1$d,
            "OtherInfo": ["FreeNumber=%1$d", "FreeShare=%1$d"]}],
         "CloudComputingVirtualAccelerator": []}"""
            .formatted(PROMISES);
    String head = "HTTP/1.1 200 OK\r\nContent-Length: " + document.length();
    return lying(head + "\r\nConnection: close\r\n\r\n", document, false);
  }

  private String endless() throws IOException {
    String chunk = "1000\r\n" + " ".repeat(0x1000) + "\r\n";
    return lying("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", chunk, true);
  }

  private static int closedPort() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return server.getLocalPort();
    }
  }

  @BeforeEach
  void start() throws Exception {
    campus = new Real("campus", 3);
    lab = new Real("lab", 2);
    user = new Launcher(Files.createDirectory(home.resolve("user")));
    String dead = "127.0.0.1:" + closedPort();
    Path file = home.resolve("user/.config/outboard/outboard.properties");
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        "sites = lab campus dead liar flood\n"
            + lab.keys("lab")
            + campus.keys("campus")
            + keysOf("dead", "tcp://" + dead, "http://" + dead)
            + keysOf("liar", "tcp://" + dead, promising())
            + keysOf("flood", "tcp://" + dead, endless()));
  }

  @AfterEach
  void end() throws Exception {
    for (ServerSocket server : liars) {
      server.close();
    }
    for (Real site : real) {
      site.end();
    }
  }

  /** A command, which succeeds. */
  private Program.Ended typed(String... arguments) throws Exception {
    Program.Ended ended = user.run(arguments);
    assertEquals(0, ended.status(), ended::toString);
    return ended;
  }

  /** The line by which a person is told where a lease is. */
  private static String told(Program.Ended ended) {
    return ended
        .errors()
        .lines()
        .filter(line -> line.matches("outboard: (takes|waits at) site .*"))
        .findFirst()
        .orElseThrow(() -> new AssertionError(ended.toString()));
  }

  private static void assertStarts(String expected, String line) {
    assertTrue(line.startsWith(expected), line);
  }

  /** All in one, as each backend costs the start of two processes. */
  @Test
  void theBestSiteThatGivesItIsTaken() throws Exception {
    String sites = typed("sites").output();
    assertTrue(sites.matches("(?s).*\ncampus +3 +3 .*"), sites);
    assertTrue(sites.matches("(?s).*\nlab +2 +2 .*"), sites);
    assertTrue(sites.matches("(?s).*\ndead +- +- .*"), sites);
    assertTrue(sites.matches("(?s).*\nflood +- +- .*"), sites);
    assertTrue(sites.matches("(?s).*\nliar +64 +64 .*"), sites);

    Program.Ended first = typed("lease", "--gpus=2");
    String why = told(first);
    assertStarts("outboard: takes site campus, which has 3 of 3 GPUs free; ", why);
    assertTrue(why.contains("; liar does not give it: "), why);
    assertTrue(why.contains("dead is out: "), why);
    assertTrue(why.contains("flood is out: "), why);
    assertTrue(first.output().contains("campus/run/outboard"), first::toString);

    assertStarts("outboard: takes site lab, which has 2 of 2 GPUs free", told(program("--gpus=2")));
    Program.Ended second = typed("lease", "--gpus=2", "--json");
    assertTrue(second.output().contains("\"site\": \"lab\""), second::toString);

    String waits = told(typed("lease", "--gpus=2", "--detach"));
    assertStarts("outboard: waits at site campus, which has 1 of 3 GPUs free", waits);

    assertStarts(
        "outboard: takes site campus, which has 1 of 3 GPUs free", told(program("--gpus=1")));
    assertEquals(1, user.run("lease", "--gpus=65").status());

    Program.Ended named = typed("leases", "--site=lab");
    assertEquals(1, named.output().lines().filter(line -> line.contains(" granted ")).count());
    assertEquals(2, user.run("leases", "--site=nowhere").status());
    assertEquals(2, user.run("leases", "--site=lab", "--on=tcp://x").status());
    runThere(second);
  }

  /** A program with a lease, at whichever site. */
  private Program.Ended program(String gpus) throws Exception {
    Program.Ended ended = typed("lease", gpus, "--", PROGRAM);
    assertFalse(ended.output().isEmpty(), ended::toString);
    return ended;
  }

  private void runThere(Program.Ended leased) throws Exception {
    String id = leased.output().replaceFirst("(?s).*?\"id\": \"([^\"]+)\".*", "$1");
    typed("run", "--site=lab", "--lease", id, "--", PROGRAM);
    Program.Ended without = user.run("run", "--site=lab", "--", PROGRAM);
    assertEquals(126, without.status(), without::toString);
    assertTrue(without.errors().contains("wants a lease"), without::toString);
    assertEquals(2, user.run("run", "--site=lab", "--on=tcp://x", "--", PROGRAM).status());
    assertTrue(typed("release", id, "--site=lab").output().contains("released"));
  }
}
