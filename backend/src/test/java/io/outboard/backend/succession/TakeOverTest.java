// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.succession;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.confine.Confinement;
import io.outboard.backend.library.Allotment;
import io.outboard.backend.system.SharedPage;
import io.outboard.backend.system.WorkerUsers;
import io.outboard.backend.worker.Succession;
import io.outboard.backend.worker.TakeOver;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.posix.Sockets;
import io.outboard.communicator.region.SharedFile;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Daemons that take a worker over, and others that would like to; workers, and others. */
final class TakeOverTest {
  private static final int OTHER_PROCESS = 1;

  @TempDir private Path folder;
  private final Token key = Token.random();
  private SessionFolder sessions;
  private SessionFile file;
  private Succession succession;
  private SharedPage page;

  @BeforeEach
  void begin() throws IOException {
    sessions = SessionFolder.beside(folder.resolve("socket").toString());
    sessions.make();
    file = sessions.create();
    succession = file.open(key);
    page = SharedPage.create();
  }

  @AfterEach
  void end() {
    Posix.close(succession.socket());
    page.close();
  }

  private SessionFacts facts(int worker, Peer.Principal opener) throws IOException {
    return new SessionFacts(
        worker,
        OptionalInt.empty(),
        key,
        7,
        new Hello(
            Message.OLDEST,
            Message.VERSION,
            1,
            Bytes.zero(Message.IDENTITY),
            Bytes.random(Message.NONCE),
            Hello.FLAG_LASTS,
            List.of(),
            new LinkedHashMap<>(),
            "program"),
        opener,
        Optional.of(Token.random()),
        Bytes.random(Message.IDENTITY),
        Bytes.random(Message.IDENTITY),
        60,
        "0123456789ab",
        Instant.ofEpochMilli(1_000),
        new Allotment(
            List.of(new Allotment.Gpu(1, "GPU-1")), Allotment.NONE, 3, Allotment.NONE, 100),
        List.of(SharedFile.identity(page.descriptor())));
  }

  private SessionFacts own() throws IOException {
    return facts(Processes.getpid(), new Peer.Operator());
  }

  /** Returns the worker's last message; null if it has been taken over. */
  private CompletableFuture<IOException> worker(Token has, int memory) {
    assertEquals(0, Sockets.listen(succession.socket(), 1));
    CompletableFuture<IOException> end = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon(true)
        .start(
            () -> {
              int daemon = Sockets.accept(succession.socket());
              try {
                TakeOver.offer(daemon, has, memory);
                end.complete(null);
              } catch (IOException e) {
                end.complete(e);
              } finally {
                Posix.close(daemon);
              }
            });
    return end;
  }

  @Test
  void aDaemonWithTheFactsGetsTheWorkerAndItsMemory() throws Exception {
    CompletableFuture<IOException> worker = worker(key, page.descriptor());
    page.cause("seen");
    SessionFile.Taken taken = file.take(own());
    assertNull(worker.get());
    try (SharedPage back = SharedPage.takeBack(taken.pages().getFirst())) {
      assertEquals("seen", back.cause());
    }
    Posix.close(taken.connection());
  }

  @Test
  void whoHasNotTheKeyGetsNothing() throws Exception {
    CompletableFuture<IOException> worker = worker(Token.random(), page.descriptor());
    assertThrows(IOException.class, () -> file.take(own()));
    assertEquals("the peer does not prove the key", worker.get().getMessage());
  }

  @Test
  void anotherProcessAtTheSocketIsRefused() throws Exception {
    CompletableFuture<IOException> worker = worker(key, page.descriptor());
    IOException refused =
        assertThrows(IOException.class, () -> file.take(facts(OTHER_PROCESS, new Peer.Operator())));
    assertEquals("somebody else listens at its socket", refused.getMessage());
    assertEquals("the peer has gone", worker.get().getMessage());
  }

  @Test
  void otherMemoryIsRefused() throws Exception {
    try (SharedPage other = SharedPage.create()) {
      CompletableFuture<IOException> worker = worker(key, other.descriptor());
      IOException refused = assertThrows(IOException.class, () -> file.take(own()));
      assertEquals("it has other memory than it was given", refused.getMessage());
      assertNull(worker.get());
    }
  }

  @Test
  void aWorkerOfAnotherVersionIsToldToEndWithItsSession() throws Exception {
    CompletableFuture<IOException> worker = worker(key, page.descriptor());
    file.refuse();
    assertInstanceOf(TakeOver.OtherVersion.class, worker.get());
  }

  @Test
  void factsAreReadAsTheyWereWritten() throws Exception {
    for (Peer.Principal opener :
        List.of(
            new Peer.Operator(),
            new Peer.Member(1000, "alice with a space"),
            new Peer.Holder("0123456789ab", 5, "tenant\nuser 0"))) {
      SessionFacts known = facts(Processes.getpid(), opener).withLease("ba9876543210");
      file.write(known);
      SessionFacts read = file.read();
      assertEquals(known.text(), read.text());
      assertEquals(opener, read.opener());
      assertEquals(known.allotment(), read.allotment());
    }
    assertEquals(1, sessions.left().size());
    file.close();
    assertEquals(0, sessions.left().size());
  }

  @Test
  void factsThatOthersReadOrOfAnotherVersionAreNotUsed() throws Exception {
    file.write(own());
    Path path = sessions.left().isEmpty() ? folder : Path.of(succession.path() + Succession.FACTS);
    String text = Files.readString(path);
    Files.writeString(path, text.replace("version 1", "version 2").replace("user ", "user 77"));
    assertThrows(IOException.class, file::read);
    assertEquals(OptionalInt.of(77), file.user());
    Files.writeString(path, text.substring(0, text.length() / 2));
    assertThrows(IOException.class, file::read);
    Files.writeString(path, text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    assertThrows(IOException.class, file::read);
  }

  /** All that workers may be, those of the package and of confined workers too. */
  @Test
  void theUserOfAWorkerIsFoundAgain() throws Exception {
    file.write(own());
    Path path = Path.of(succession.path() + Succession.FACTS);
    String text = Files.readString(path);
    for (String users : List.of("1", "2000000000-2000000255", Confinement.USERS, "2147483647")) {
      int user = WorkerUsers.parse(users).first();
      Files.writeString(path, text.replace("user ", "user " + user));
      assertEquals(OptionalInt.of(user), file.user());
    }
  }

  /** A start goes on without the session. */
  @Test
  void damagedFactsAreToldOfAsSuch() throws Exception {
    file.write(own());
    Path path = Path.of(succession.path() + Succession.FACTS);
    String text = Files.readString(path);
    for (int at = 0; at < text.length(); at += 3) {
      for (String damage : List.of("", "\n", " ", "\u0000", "999999999999")) {
        readDamaged(path, text.substring(0, at) + damage + text.substring(at + 1));
      }
      readDamaged(path, text.substring(0, at));
    }
    for (String none : List.of("99999999999", "2147483648")) {
      Files.writeString(path, text.replace("user ", "user " + none));
      assertEquals(OptionalInt.empty(), file.user());
    }
  }

  private void readDamaged(Path path, String text) throws IOException {
    Files.writeString(path, text);
    OptionalInt unused = file.user();
    try {
      SessionFacts same = file.read();
      assertTrue(same.worker() >= 0, text);
    } catch (IOException e) {
      // It is told.
    }
  }

  /** One that was stopped would have held up the start. */
  @Test
  void aWorkerThatSaysNothingIsNotWaitedForLong() throws Exception {
    assertEquals(0, Sockets.listen(succession.socket(), 1));
    IOException refused = assertThrows(IOException.class, () -> file.take(own()));
    assertEquals("the peer says nothing", refused.getMessage());
  }

  @Test
  void aFolderThatOthersEnterIsNotUsed() throws Exception {
    Path open = Files.createDirectory(folder.resolve("open.sessions"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-x---"));
    IOException refused =
        assertThrows(
            IOException.class, () -> SessionFolder.beside(folder.resolve("open").toString()));
    assertTrue(refused.getMessage().endsWith("is no folder that this user alone enters"));
  }
}
