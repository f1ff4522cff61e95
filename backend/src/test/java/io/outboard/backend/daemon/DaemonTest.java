// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.Backend;
import io.outboard.backend.FakeLibrary;
import io.outboard.backend.RawClient;
import io.outboard.backend.supervision.Admission;
import io.outboard.backend.supervision.Admitted;
import io.outboard.backend.supervision.ServedSession;
import io.outboard.backend.system.LogLines;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.client.Session;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.socket.UnixCommunicator;
import io.outboard.patience.Patience;
import io.outboard.testkit.ToyRemote;
import io.outboard.wire.Bytes;
import io.outboard.wire.Frame;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.Native;
import io.outboard.wire.Piece;
import io.outboard.wire.Refusal;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonTest {
  private static final int ANSWER = Frame.FLAG_ANSWER;

  @TempDir private Path folder;

  private Backend backend() throws IOException {
    return new Backend(folder, Daemon.builder().spareWorkers(0));
  }

  private static void echo(RawClient client) {
    client.call(FakeLibrary.ECHO, ANSWER, 0, 1, 4711);
    assertEquals(4711, client.receive().word(0));
  }

  @Test
  void aProgramCallsTheToyLibrary() throws IOException {
    try (Backend backend = backend();
        Session session = backend.toy();
        NativeBuffer room = new NativeBuffer(64)) {
      ToyRemote toy = new ToyRemote(session);
      assertEquals(0, toy.toyBufferCreate(room.address(), 4096));
      long buffer = Native.getLong(room.address());
      assertEquals(0, toy.toyBufferSize(buffer, room.address()));
      assertEquals(4096, Native.getLong(room.address()));
      assertEquals(0, toy.toyBufferDestroy(buffer));
      assertTrue(toy.toyBufferSize(buffer, room.address()) != 0);
    }
  }

  @Test
  void sessionsAreLogged() throws Exception {
    try (LogLines log = new LogLines();
        Backend backend = backend()) {
      try (RawClient client = Backend.client(backend.connect(), "two\nlines")) {
        echo(client);
        assertTrue(log.await("session 1: two?lines").contains("worker"));
        client.control(Frame.KIND_GOODBYE, 0);
        assertTrue(log.await("goodbye").contains("1 call,"));
      }
    }
  }

  @Test
  void aWorkerThatIsKilledTakesOneClientWithIt() throws Exception {
    try (LogLines log = new LogLines();
        Backend backend = backend();
        RawClient other = backend.client()) {
      List<ProcessHandle> before = Backend.workers();
      RawClient victim = Backend.client(backend.connect(), "victim");
      echo(victim);
      Backend.workers().stream()
          .filter(worker -> !before.contains(worker))
          .forEach(ProcessHandle::destroyForcibly);
      assertNull(victim.receive());
      victim.close();
      assertTrue(
          log.await("victim (process %d): its worker".formatted(ProcessHandle.current().pid()))
              .contains("killed by signal 9; 1 call,"));
      echo(other);
      try (RawClient next = backend.client()) {
        echo(next);
      }
    }
  }

  @Test
  void aClientThatGoesTakesItsWorkerWithIt() throws Exception {
    try (LogLines log = new LogLines();
        Backend backend = backend()) {
      RawClient client = backend.client();
      client.call(FakeLibrary.WAIT, ANSWER, 0, 1, 1);
      client.call(FakeLibrary.STALL, ANSWER, 1, 2, 1);
      List<ProcessHandle> workers = Backend.workers();
      assertEquals(1, workers.size());
      client.close();
      Patience.get(workers.getFirst().onExit());
      log.await("the client has gone");
    }
  }

  @Test
  void whatRunsMayEndBeforeTheDaemonDoes() throws Exception {
    DaemonBuilder builder = Daemon.builder().spareWorkers(0).drainMs(10L * Patience.milliseconds());
    try (Backend backend = new Backend(folder, builder)) {
      RawClient client = backend.client();
      echo(client);
      Thread ending = Thread.ofPlatform().start(backend.daemon::end);
      awaitRefusal(backend);
      echo(client);
      assertTrue(ending.isAlive());
      client.control(Frame.KIND_GOODBYE, 0);
      client.close();
      Patience.join(ending);
      assertThrows(IOException.class, backend::connect);
    }
  }

  private static void awaitRefusal(Backend backend) throws Exception {
    Patience.until("it begins no session", () -> isRefused(backend));
  }

  private static boolean isRefused(Backend backend) {
    try (RawClient other = backend.client()) {
      echo(other);
      return false;
    } catch (IOException e) {
      assertTrue(e.getMessage().contains("about to end"), e::toString);
      return true;
    }
  }

  @Test
  void whatDoesNotEndInTimeIsEnded() throws Exception {
    DaemonBuilder builder = Daemon.builder().spareWorkers(0).drainMs(300);
    try (Backend backend = new Backend(folder, builder);
        RawClient client = backend.client()) {
      echo(client);
      backend.daemon.end();
      assertNull(client.receive());
    }
  }

  @Test
  void whoTakesLongToGreetHoldsNobodyUp() throws IOException {
    try (Backend backend = backend()) {
      int slow = backend.connect();
      try (RawClient client = backend.client()) {
        echo(client);
      }
      Posix.close(slow);
    }
  }

  @Test
  void aDeviceThatIsNotThereIsRefused() throws IOException {
    try (Backend backend = new Backend(folder, Daemon.builder().spareWorkers(0).devices("none"))) {
      RefusedException refused = assertThrows(RefusedException.class, backend::client);
      assertEquals(Refusal.DEVICE, refused.refusal().code());
      assertEquals("there is no device", refused.refusal().text());
    }
  }

  /** Makes one thread that cannot be started, then those of another one. */
  private static ThreadFactory withoutTheFirst(ThreadFactory others) {
    AtomicBoolean first = new AtomicBoolean(true);
    return task -> first.getAndSet(false) ? new Unstarted() : others.newThread(task);
  }

  /** As where the system has no thread left. */
  private static final class Unstarted extends Thread {
    @Override
    public void start() {
      throw new OutOfMemoryError("unable to create native thread");
    }
  }

  @Test
  void aClientThatNoThreadCanGreetIsRefusedAndTheNextIsServed() throws IOException {
    ThreadFactory threads = withoutTheFirst(Thread.ofPlatform().daemon(true).factory());
    try (Backend backend =
        new Backend(folder, Daemon.builder().spareWorkers(0).greeters(threads))) {
      int unheard = backend.connect();
      try (NativeBuffer room = new NativeBuffer(256)) {
        assertTrue(Posix.read(unheard, room.address(), 256) > 0);
        assertEquals(0, Posix.read(unheard, room.address(), 256));
      }
      Posix.close(unheard);
      try (RawClient client = backend.client()) {
        echo(client);
      }
    }
  }

  @Test
  void thereIsALimitOfSessions() throws Exception {
    try (LogLines log = new LogLines();
        Backend backend = new Backend(folder, Daemon.builder().spareWorkers(0).mostSessions(1))) {
      RawClient first = backend.client();
      RefusedException refused = assertThrows(RefusedException.class, backend::client);
      assertEquals(Refusal.LIMIT, refused.refusal().code());
      first.close();
      log.await("the client has gone");
      while (backend.daemon.sessions() > 0) {
        Thread.sleep(10);
      }
      backend.client().close();
    }
  }

  /** An admission that fails, at each step. */
  private record FaultyAdmission(AtomicBoolean admits, AtomicBoolean starts) implements Admission {
    @Override
    public Admitted admit(Hello client, Peer.Principal who) {
      fail(admits);
      return new Admitted() {
        @Override
        public void started(ServedSession session) {
          fail(starts);
        }
      };
    }

    private static void fail(AtomicBoolean how) {
      if (how.getAndSet(false)) {
        throw new IllegalStateException("a fault of the admission");
      }
    }
  }

  /** The only place is free for the client after it. */
  private void afterAFault(Admission admission) throws Exception {
    try (LogLines log = new LogLines();
        Backend backend =
            new Backend(
                folder, Daemon.builder().spareWorkers(0).mostSessions(1).admission(admission))) {
      RefusedException refused = assertThrows(RefusedException.class, backend::client);
      assertEquals(Refusal.INTERNAL, refused.refusal().code());
      log.await("a client was not admitted");
      assertEquals(0, backend.daemon.sessions());
      try (RawClient client = backend.client()) {
        echo(client);
      }
    }
  }

  @Test
  void anyFaultGivesTheSessionsPlaceBack() throws Exception {
    afterAFault(new FaultyAdmission(new AtomicBoolean(true), new AtomicBoolean()));
    afterAFault(new FaultyAdmission(new AtomicBoolean(), new AtomicBoolean(true)));
  }

  /** One that asked for another place serves there, and sessions of the socket are not its. */
  @Test
  void aSocketThatAnotherHasIsLeftToIt() throws Exception {
    AtomicBoolean taken = new AtomicBoolean();
    Endpoint usual = Backend.socket(folder);
    Endpoint own = Endpoint.unix(folder.resolve("own.sock").toString());
    DaemonBuilder second =
        Daemon.builder()
            .spareWorkers(0)
            .listen(own)
            .listenIfFree(usual, () -> taken.set(true))
            .outliving(usual.path());
    try (Backend first = backend();
        Daemon other = second.start()) {
      assertTrue(taken.get());
      assertEquals(List.of(own), other.endpoints());
      try (RawClient client = first.client();
          RawClient others = Backend.client(new UnixCommunicator().connect(own), "test")) {
        echo(client);
        echo(others);
      }
    }
    try (Daemon next =
        Daemon.builder().spareWorkers(0).listenIfFree(usual, () -> taken.set(false)).start()) {
      assertEquals(List.of(usual), next.endpoints());
    }
  }

  @Test
  void whoAsksWhetherItWouldBeServedTakesNoWorker() throws Exception {
    try (Backend backend = new Backend(folder, Daemon.builder().spareWorkers(0).mostSessions(1))) {
      awaitWorkers(1); // which waits for the first client
      List<ProcessHandle> ready = Backend.workers();
      assertEquals(List.of(), ask(backend).libraries());
      assertEquals(0, backend.daemon.sessions());
      assertEquals(ready, Backend.workers());
      try (RawClient client = backend.client()) {
        echo(client);
        RefusedException refused = assertThrows(RefusedException.class, () -> ask(backend));
        assertEquals(Refusal.LIMIT, refused.refusal().code());
        echo(client);
      }
    }
  }

  private static Welcome ask(Backend backend) throws IOException {
    int socket = backend.connect();
    Welcome welcome = Backend.greet(socket, "test", Bytes.zero(Message.IDENTITY), Hello.FLAG_ASK);
    Posix.close(socket);
    return welcome;
  }

  private static Welcome join(int socket, Bytes session) throws IOException {
    return Backend.greet(socket, "test", session, Hello.FLAG_BULK);
  }

  /** Bytes over the further connection belong to the session: a mistake there ends it. */
  @Test
  void aClientAddsAConnectionToItsSession() throws Exception {
    try (LogLines log = new LogLines();
        Backend backend = backend()) {
      int socket = backend.connect();
      Welcome welcome = Backend.greet(socket, "test", Bytes.zero(Message.IDENTITY), 0);
      assertTrue(welcome.joinable());
      int second = backend.connect();
      assertEquals(welcome.session(), join(second, welcome.session()).session());
      try (RawClient client = new RawClient(socket);
          RawClient more = new RawClient(second)) {
        echo(client);
        assertTrue(more.raw(new byte[Piece.HEADER]));
        assertNull(client.receive());
        log.await("the client broke the protocol: a piece of 0 bytes");
      }
    }
  }

  @Test
  void aSessionThatIsNotThereIsNotJoined() throws Exception {
    try (LogLines log = new LogLines();
        Backend backend = backend()) {
      int socket = backend.connect();
      Welcome welcome = Backend.greet(socket, "test", Bytes.zero(Message.IDENTITY), 0);
      for (Bytes identity : List.of(Bytes.zero(Message.IDENTITY), Bytes.random(Message.IDENTITY))) {
        assertNotJoined(backend, identity);
      }
      Posix.close(socket);
      log.await("the client has gone");
      while (backend.daemon.sessions() > 0) {
        Thread.sleep(10);
      }
      assertNotJoined(backend, welcome.session());
    }
  }

  private static void assertNotJoined(Backend backend, Bytes identity) throws IOException {
    int socket = backend.connect();
    RefusedException refused = assertThrows(RefusedException.class, () -> join(socket, identity));
    assertEquals(Refusal.SESSION, refused.refusal().code());
  }

  @Test
  void aWorkerIsKeptReady() throws Exception {
    try (Backend backend = new Backend(folder, Daemon.builder().spareWorkers(1))) {
      try (RawClient client = backend.client()) {
        echo(client);
        awaitWorkers(2);
      }
    }
    awaitWorkers(0);
  }

  private static void awaitWorkers(int count) throws InterruptedException {
    while (Backend.workers().size() != count) {
      Thread.sleep(10);
    }
  }

  private static boolean isThere(String thread) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(one -> one.getName().equals(thread));
  }

  @Test
  void itEndsWithTheProcessThatItWatches() throws Exception {
    Process program = new ProcessBuilder("sleep", "1000").start();
    try (Backend backend =
        new Backend(folder, Daemon.builder().spareWorkers(0).watch((int) program.pid()))) {
      RawClient child = backend.client();
      program.destroyForcibly().waitFor();
      // The daemon has heard of it once its thread has gone.
      Patience.until("it is heard", () -> !isThere("watch " + program.pid()));
      echo(child);
      child.close();
      backend.daemon.await();
      assertEquals(0, backend.daemon.sessions());
    }
  }

  @Test
  void workersEndWithTheirDaemon() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                DaemonMain.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    assertEquals("ready", other.inputReader().readLine());
    try (RawClient client =
        Backend.client(new UnixCommunicator().connect(Backend.socket(folder)), "p")) {
      echo(client);
      Optional<ProcessHandle> worker = other.children().findFirst();
      other.destroyForcibly();
      awaitEnd(worker.orElseThrow().pid());
      assertNull(client.receive());
    }
  }

  /** It may become a zombie that nobody here can bury. */
  private static void awaitEnd(long process) throws Exception {
    Path command = Path.of("/proc", Long.toString(process), "cmdline");
    Patience.until(
        "the end of " + process,
        () -> !Files.exists(command) || Files.readAllBytes(command).length == 0);
  }

  @Test
  void aHostileClientEndsOnlyItsSession() throws Exception {
    Random random = new Random(42);
    try (LogLines log = new LogLines();
        Backend backend = backend()) {
      byte[] noise = new byte[4096];
      random.nextBytes(noise);
      try (RawClient other = backend.client();
          RawClient hostile = backend.client()) {
        hostile.raw(noise);
        assertNull(hostile.receive());
        log.await("broke the protocol");
        echo(other);
      }
      int unmannered = backend.connect();
      try (NativeBuffer room = new NativeBuffer(4096)) {
        Native.putLong(room.address(), random.nextLong());
        assertEquals(4096, Posix.write(unmannered, room.address(), 4096));
      }
      log.await("a client was not admitted");
      Posix.close(unmannered);
      try (RawClient next = backend.client()) {
        echo(next);
      }
    }
  }

  @Test
  void nothingIsLeftOfASession() throws Exception {
    sessions(3);
  }

  @Tag("long")
  @Test
  void nothingIsLeftOfManySessions() throws Exception {
    sessions(200);
  }

  private void sessions(int count) throws Exception {
    try (Backend backend = backend()) {
      one(backend);
      long before = descriptors();
      for (int i = 0; i < count; i++) {
        one(backend);
      }
      awaitDescriptors(before);
    }
    assertFalse(Files.exists(folder.resolve("backend.sock")));
  }

  private static void one(Backend backend) throws Exception {
    try (RawClient client = backend.client()) {
      echo(client);
    }
    while (backend.daemon.sessions() > 0) {
      Thread.sleep(1);
    }
    awaitWorkers(0);
  }

  /** The last ones are closed a moment after the session's end; a leak never is. */
  private static void awaitDescriptors(long expected) throws Exception {
    Patience.until(
        () -> descriptors() + " descriptors, not " + expected, () -> descriptors() == expected);
  }

  private static long descriptors() {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whereItCannotListenItSaysWhy() {
    DaemonBuilder nowhere = Daemon.builder().listen(Endpoint.unix("/dev/null/socket"));
    assertThrows(IOException.class, nowhere::start);
  }
}
