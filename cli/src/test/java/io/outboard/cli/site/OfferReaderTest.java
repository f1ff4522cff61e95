// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.site;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.client.find.Site;
import io.outboard.communicator.Endpoint;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sites that answer what they should not, or do not answer. */
final class OfferReaderTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final byte[] CHUNK = ("2000\r\n" + " ".repeat(0x2000) + "\r\n").getBytes(US_ASCII);

  private final List<ServerSocket> servers = new ArrayList<>();

  /** Writes an answer; the client may go meanwhile. */
  @FunctionalInterface
  private interface Answering {
    void to(OutputStream client) throws IOException, InterruptedException;
  }

  private Site site(String name, Answering answer) throws IOException {
    ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    servers.add(server);
    Thread unused =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!server.isClosed()) {
                    try (Socket client = server.accept()) {
                      answer.to(client.getOutputStream());
                    } catch (IOException | InterruptedException e) {
                      // The client has gone, or the test is over.
                    }
                  }
                });
    return at(name, server.getLocalPort());
  }

  private static Site at(String name, int port) {
    return new Site(
        name,
        Endpoint.parse("tcp://127.0.0.1:1"),
        URI.create("http://127.0.0.1:" + port),
        Optional.empty(),
        Optional.empty(),
        "a file");
  }

  private Site saying(String name, String status, String body) throws IOException {
    String answer =
        status + "Content-Length: " + body.length() + "\r\nConnection: close\r\n\r\n" + body;
    return site(name, client -> client.write(answer.getBytes(US_ASCII)));
  }

  @AfterEach
  void close() throws IOException {
    for (ServerSocket server : servers) {
      server.close();
    }
  }

  private static String why(Site site) {
    return why(site, Patience.of(Duration.ofSeconds(30)));
  }

  private static String why(Site site, Duration limit) {
    Offered offered = new OfferReader(limit).read(List.of(site)).getFirst();
    assertTrue(offered.offer().isEmpty(), offered::toString);
    return offered.why();
  }

  private static int closedPort() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return server.getLocalPort();
    }
  }

  @Test
  void whoIsNotThereIsOut() throws Exception {
    assertTrue(!why(at("dead", closedPort())).isEmpty());
  }

  @Test
  void whoSaysNothingIsOutAfterTheLimit() throws Exception {
    Site silent = site("silent", _ -> Thread.sleep(Duration.ofMinutes(10)));
    assertEquals("no whole answer in 1 s", why(silent, Duration.ofSeconds(1)));
  }

  @Test
  void whoSaysOneByteAtATimeIsOutAfterTheLimit() throws Exception {
    Site slow =
        site(
            "slow",
            client -> {
              client.write((OK + "Content-Length: 100000\r\n\r\n").getBytes(US_ASCII));
              while (true) {
                client.write(' ');
                Thread.sleep(50);
              }
            });
    assertEquals("no whole answer in 1 s", why(slow, Duration.ofSeconds(1)));
  }

  @Test
  void anAnswerWithoutAnEndIsCut() throws Exception {
    Site endless =
        site(
            "endless",
            client -> {
              client.write((OK + "Transfer-Encoding: chunked\r\n\r\n").getBytes(US_ASCII));
              while (true) {
                client.write(CHUNK);
              }
            });
    assertTrue(why(endless).contains("1048576"), () -> why(endless));
  }

  @Test
  void headersWithoutAnEndAreCut() throws Exception {
    Site endless =
        site(
            "endless",
            client -> {
              client.write(OK.getBytes(US_ASCII));
              while (true) {
                client.write(("X: " + "y".repeat(1_000) + "\r\n").getBytes(US_ASCII));
              }
            });
    assertTrue(!why(endless).isEmpty());
  }

  @Test
  void garbageIsNoOffer() throws Exception {
    String deep = "[".repeat(100_000);
    for (String body : List.of("", "garbage", "{\"a\": 1}", deep)) {
      String why = why(saying("liar", OK, body));
      assertTrue(why.startsWith("its offer cannot be read: "), why);
    }
  }

  /** Another place than the one that the user named is not asked. */
  @Test
  void whoSendsElsewhereIsOut() throws Exception {
    String moved = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n";
    assertEquals("it answers 302", why(saying("mover", moved, "")));
  }

  @Test
  void oneThatIsSilentKeepsNoOtherOne() throws Exception {
    Site silent = site("silent", _ -> Thread.sleep(Duration.ofMinutes(10)));
    String document =
        """
        {"CloudComputingManagerAccelerator":
          [{"Name": "A100", "TotalNumber": 2, "OtherInfo": ["FreeNumber=1", "FreeShare=1.5"]}],
         "CloudComputingVirtualAccelerator": []}""";
    List<Offered> offered =
        new OfferReader(Patience.of(Duration.ofSeconds(5)))
            .read(List.of(silent, saying("good", OK, document)));
    assertEquals("good has 1 of 2 GPUs free", offered.getLast().words(Wanted.any()));
    assertTrue(offered.getFirst().words(Wanted.any()).startsWith("silent is out: no whole answer"));
  }
}
