// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.Origin;
import io.outboard.communicator.certificate.IdentityFiles;
import io.outboard.communicator.certificate.Issuer;
import io.outboard.communicator.certificate.TlsIdentity;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.socket.TcpCommunicator;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TlsCommunicatorTest {
  private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant UNTIL = Instant.parse("2099-01-01T00:00:00Z");
  private static final TlsIdentity AUTHORITY = Issuer.authority("one", FROM, UNTIL);
  private static final TlsIdentity ANOTHER = Issuer.authority("another", FROM, UNTIL);
  private static final TlsIdentity SERVER =
      new Issuer(AUTHORITY).server(List.of("localhost", "127.0.0.1"), FROM, UNTIL);
  private static final Endpoint ANY = Endpoint.parse("tls://127.0.0.1:0");

  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private Listener listener;

  private final BlockingQueue<Integer> accepted = new LinkedBlockingQueue<>();

  private void listen(TlsIdentity identity, TlsIdentity... clients) throws IOException {
    listen(new TlsServer(identity, certificates(clients)));
  }

  private void listen(TlsServer server) throws IOException {
    listen(new TlsCommunicator(), server);
  }

  /** Handshakes may not take long, but they begin on a slow machine too. */
  private void listenImpatiently() throws IOException {
    int handshakeMs = Math.toIntExact(Patience.of(Duration.ofSeconds(2)).toMillis());
    listen(new TlsCommunicator(handshakeMs), new TlsServer(SERVER, List.of()));
  }

  private void listen(TlsCommunicator tls, TlsServer server) throws IOException {
    listener =
        tls.listen(ANY, new Listening(false, Optional.of(server), Optional.empty(), told::add));
    Thread.ofPlatform().daemon(true).start(this::accept);
  }

  private void accept() {
    try {
      for (int one = listener.accept(); one != Listener.CLOSED; one = listener.accept()) {
        accepted.add(one);
      }
    } catch (IOException e) {
      told.add(e.toString());
    }
  }

  private static List<X509Certificate> certificates(TlsIdentity... of) {
    return Arrays.stream(of).map(TlsIdentity::certificate).toList();
  }

  @AfterEach
  void close() {
    listener.close();
  }

  private int connect(TlsClient client) throws IOException {
    return TlsCommunicator.connect(listener.endpoint(), client);
  }

  private static TlsClient trusting(TlsIdentity authority) {
    return new TlsClient(Optional.empty(), List.of(authority.certificate()), Optional.empty());
  }

  private String refused(TlsClient client) throws Exception {
    var error = assertThrows(IOException.class, () -> connect(client));
    Patience.take(told);
    return error.getMessage();
  }

  @Test
  void bytesComeThroughBothWaysAtOnce() throws Exception {
    listen(SERVER);
    int client = connect(trusting(AUTHORITY));
    int server = Patience.take(accepted);
    assertEquals(new Origin.Remote("127.0.0.1"), listener.origin(server));
    Executor apart = work -> Thread.ofPlatform().start(work);
    byte[] up = random(9_000_001, 1);
    byte[] down = random(7_654_321, 2);
    var sent = CompletableFuture.runAsync(() -> write(client, up), apart);
    var answered = CompletableFuture.runAsync(() -> write(server, down), apart);
    var got = CompletableFuture.supplyAsync(() -> read(server, up.length), apart);
    assertArrayEquals(down, read(client, down.length));
    assertArrayEquals(up, got.get());
    sent.get();
    answered.get();
    Posix.close(client);
    assertEquals(0, read(server, 1).length);
    Posix.close(server);
    assertTrue(told.isEmpty(), told::toString);
  }

  /** A new key without its certificate is none yet. */
  @Test
  void aCertificateThatIsReplacedIsInUseWithoutARestart(@TempDir Path folder) throws Exception {
    Path certificate = folder.resolve("server.pem");
    Path key = folder.resolve("server.key");
    keep(SERVER, certificate, key, Instant.ofEpochSecond(1));
    listen(new TlsServer(new IdentityFiles(certificate, key, told::add), List.of()));
    Posix.close(connect(trusting(AUTHORITY)));
    TlsIdentity later = Issuer.authority("later", FROM, UNTIL);
    TlsIdentity fresh = new Issuer(later).server(List.of("127.0.0.1"), FROM, UNTIL);
    Path other = folder.resolve("other.pem");
    keep(fresh, other, key, Instant.ofEpochSecond(2));
    Posix.close(connect(trusting(AUTHORITY)));
    assertTrue(Patience.take(told).startsWith("the certificate stays as it was: "));
    keep(fresh, certificate, key, Instant.ofEpochSecond(3));
    Posix.close(connect(trusting(later)));
    assertEquals(certificate + " is in use, " + fresh.fingerprint(), Patience.take(told));
    refused(trusting(AUTHORITY));
  }

  private static void keep(TlsIdentity identity, Path certificate, Path key, Instant when)
      throws IOException {
    Files.writeString(certificate, Issuer.certificatesAsPem(identity));
    Files.writeString(key, Issuer.keyAsPem(identity));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    Files.setLastModifiedTime(certificate, FileTime.from(when));
    Files.setLastModifiedTime(key, FileTime.from(when));
  }

  /** A silent peer would have hours for the handshake. */
  @Test
  void aConnectionThatNobodyWantsEndsInTheMiddleOfTheHandshake() throws Exception {
    listen(SERVER);
    TlsServer server = new TlsServer(SERVER, List.of());
    int[] wire = new int[2];
    int[] plain = new int[2];
    assertEquals(0, Sockets.socketpair(wire));
    assertEquals(0, Sockets.socketpair(plain));
    TlsStream secure = new TlsStream(server.engine(server.context()), wire[0]);
    new TlsRelay(secure, plain[0], told::add).startWithHandshake(Integer.MAX_VALUE);
    Posix.close(plain[1]);
    byte[] alert = read(wire[1], 1 << 10);
    Posix.close(wire[1]);
    assertTrue(told.isEmpty(), () -> told + ", alert " + alert.length);
  }

  /** It is told so in TLS, not with an alert that looks like a fault of the protocol. */
  @Test
  void aClientThatTakesTooLongHearsThatTheHandshakeIsOver() throws Exception {
    listenImpatiently();
    int client = TcpCommunicator.connectTo(listener.endpoint(), TlsCommunicator.PORT);
    TlsStream slow = new TlsStream(trusting(AUTHORITY).engine(listener.endpoint()), client);
    CompletableFuture<String> reason = new CompletableFuture<>();
    IOException error =
        assertThrows(
            IOException.class, () -> slow.handshake(60_000, () -> awaitTold(reason, client)));
    assertTrue(reason.get().endsWith("the handshake takes too long"), reason.get());
    assertTrue(error.getMessage().contains("took too long"), error::toString);
    Posix.close(client);
  }

  /** Also the end of the connection: until then the listener takes what the client sends. */
  private boolean awaitTold(CompletableFuture<String> reason, int client) {
    try {
      boolean first = !reason.isDone() && reason.complete(told.take());
      Patience.until("the end", () -> Posix.poll(client, Posix.POLLRDHUP, 0) != 0);
      return first || reason.isDone();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void oneDirectionEndsAlone() throws Exception {
    listen(SERVER);
    int client = connect(trusting(AUTHORITY));
    int server = Patience.take(accepted);
    write(client, new byte[] {1, 2, 3});
    Sockets.shutdown(client, Sockets.SHUT_WR);
    assertArrayEquals(new byte[] {1, 2, 3}, read(server, 4));
    byte[] answer = random(500_000, 3);
    write(server, answer);
    assertArrayEquals(answer, read(client, answer.length));
    Posix.close(server);
    assertEquals(0, read(client, 1).length);
    Posix.close(client);
  }

  @Test
  void whoIsGoneIsMissedAtOnce() throws Exception {
    listen(SERVER);
    int client = connect(trusting(AUTHORITY));
    int server = Patience.take(accepted);
    Posix.close(server);
    assertEquals(0, read(client, 1).length);
    Posix.close(client);
  }

  /** As a client is that has heard all it wanted, and does not wait for the end. */
  @Test
  void aResetAfterTheEndIsNoFailure() throws Exception {
    listen(SERVER);
    int client = TcpCommunicator.connectTo(listener.endpoint(), 0);
    new TlsStream(trusting(AUTHORITY).engine(listener.endpoint()), client).handshake(10_000);
    int server = Patience.take(accepted);
    Sockets.shutdown(server, Sockets.SHUT_WR);
    int ended = Posix.poll(client, Posix.POLLRDHUP, Patience.milliseconds());
    assertEquals(Posix.POLLRDHUP, ended & Posix.POLLRDHUP);
    // The last bytes have not been read.
    Posix.close(client);
    assertEquals(0, read(server, 1).length);
    Posix.close(server);
    assertTrue(told.isEmpty(), told::toString);
  }

  @Test
  void whoDoesNotListenIsCalledAsTheyWere() throws Exception {
    listen(SERVER);
    listener.close();
    var error = assertThrows(IOException.class, () -> connect(trusting(AUTHORITY)));
    assertTrue(
        error.getMessage().startsWith("cannot connect to " + listener.endpoint() + ": "),
        error::toString);
  }

  @Test
  void theServersCertificateHasToBeRight() throws Exception {
    listen(SERVER);
    assertTrue(refused(trusting(ANOTHER)).contains("not trusted"));
    String its = SERVER.fingerprint();
    TlsClient pinned = new TlsClient(Optional.of(its), List.of(), Optional.empty());
    Posix.close(connect(pinned));
    String other = AUTHORITY.fingerprint();
    TlsClient wrong = new TlsClient(Optional.of(other), List.of(), Optional.empty());
    assertTrue(refused(wrong).contains("not the pinned one, but " + its));
  }

  @Test
  void itsNameHasToBeRight() throws Exception {
    listen(new Issuer(AUTHORITY).server(List.of("elsewhere.example"), FROM, UNTIL));
    assertTrue(refused(trusting(AUTHORITY)).contains("another host's"));
  }

  @Test
  void itsTimeHasToBeRight() throws Exception {
    listen(new Issuer(AUTHORITY).server(List.of("127.0.0.1"), FROM, FROM.plusSeconds(60)));
    assertTrue(refused(trusting(AUTHORITY)).contains("has expired"));
  }

  @Test
  void clientsMayNeedACertificate() throws Exception {
    listen(SERVER, AUTHORITY);
    TlsIdentity alice = new Issuer(AUTHORITY).client("alice", FROM, UNTIL);
    assertTalks(alice, true);
    assertTalks(new Issuer(ANOTHER).client("eve", FROM, UNTIL), false);
    assertTalks(null, false);
    assertTrue(told.toString().contains("certificate"), told::toString);
  }

  private void assertTalks(TlsIdentity identity, boolean does) throws Exception {
    List<X509Certificate> authorities = List.of(AUTHORITY.certificate());
    int client =
        connect(new TlsClient(Optional.empty(), authorities, Optional.ofNullable(identity)));
    int server = Patience.take(accepted);
    if (does) {
      write(client, new byte[] {5});
    }
    assertEquals(does ? 1 : 0, read(server, 1).length);
    Posix.close(client);
    Posix.close(server);
  }

  @Test
  void whatIsNotTlsIsTurnedAway() throws Exception {
    listen(SERVER);
    Endpoint plain = Endpoint.parse("tcp://127.0.0.1:" + listener.endpoint().port());
    for (byte[] nonsense : List.of("OBTD plain".getBytes(US_ASCII), random(3000, 4))) {
      int client = new TcpCommunicator().connect(plain);
      int server = Patience.take(accepted);
      write(client, nonsense);
      assertEquals(0, read(server, 1).length);
      assertEquals(0x15, read(client, 7)[0]);
      Posix.close(client);
      Posix.close(server);
      assertTrue(Patience.take(told).startsWith("an encrypted connection at tls://"));
    }
  }

  @Test
  void whoTakesItsTimeIsGivenUp() throws Exception {
    listenImpatiently();
    Endpoint plain = Endpoint.parse("tcp://127.0.0.1:" + listener.endpoint().port());
    int client = new TcpCommunicator().connect(plain);
    int server = Patience.take(accepted);
    byte[] begin = {0x16, 3, 1, 2, 0, 1, 0};
    for (int i = 0; i < begin.length; i++) {
      write(client, new byte[] {begin[i]});
      Thread.sleep(100);
    }
    assertEquals(0, read(server, 1).length);
    assertTrue(Patience.take(told).contains("too long"));
    Posix.close(client);
    Posix.close(server);
  }

  @Test
  void withoutACertificateNobodyListens() throws Exception {
    listen(SERVER);
    var error =
        assertThrows(IOException.class, () -> new TlsCommunicator().listen(ANY, Listening.PLAIN));
    assertTrue(error.getMessage().contains("--tls-cert"), error::getMessage);
  }

  @Test
  void variablesSayWhomToTrust() throws Exception {
    listen(SERVER);
    Endpoint odd = Endpoint.parse("tls://abc@127.0.0.1");
    assertThrows(IllegalArgumentException.class, () -> TlsClient.of(odd, Map.of()));
    Endpoint plain = Endpoint.parse("tls://127.0.0.1");
    Map<String, String> absent = Map.of(TlsClient.CA, "/nonexistent/ca.pem");
    var error = assertThrows(IOException.class, () -> TlsClient.of(plain, absent));
    assertTrue(error.getMessage().contains("/nonexistent/ca.pem"), error::getMessage);
    String upper = SERVER.fingerprint().toUpperCase(Locale.ROOT);
    Endpoint pinned = Endpoint.parse("tls://" + upper + "@127.0.0.1");
    assertEquals(Optional.of(SERVER.fingerprint()), TlsClient.of(pinned, Map.of()).pin());
  }

  private static byte[] random(int bytes, int seed) {
    byte[] data = new byte[bytes];
    new Random(seed).nextBytes(data);
    return data;
  }

  private static void write(int socket, byte[] bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      assertEquals(0, Posix.writeAll(socket, memory.address(), bytes.length));
    }
  }

  /** So many bytes, or those until the end. */
  private static byte[] read(int socket, int bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(bytes);
      int got = 0;
      for (long n = 1; n > 0 && got < bytes; got += (int) Math.max(n, 0)) {
        n = Posix.read(socket, memory.address() + got, bytes - got);
      }
      return memory.asSlice(0, got).toArray(ValueLayout.JAVA_BYTE);
    }
  }
}
