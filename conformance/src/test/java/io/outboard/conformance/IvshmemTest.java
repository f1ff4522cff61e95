// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import io.outboard.testkit.Amount;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Programs that share memory with the backend as those of a guest do; for that memory a file
 * stands.
 */
final class IvshmemTest {
  private static final String URI = "tcp://localhost:0";
  private static final int PART = 8192 + (2 << 20);
  private static final int PARTS = 3;
  private static final String THROUGH_MEMORY =
      "outboard: bytes travel through memory that this machine shares with its host (ivshmem)\n";
  private static final String NO_MORE =
      "outboard: bytes travel over the connection: the backend offers no memory, or has no more\n";
  private static final String ANOTHER =
      "outboard: bytes travel over the connection: the backend offers other memory than this"
          + " machine shares with its host\n";

  private static final int TO_BACKEND = 256;
  private static final int TO_CLIENT = 4096 + 512;

  private static final String OTHER_URI = "tcp://127.0.0.1:0";
  private static final Path MEMORY = memory();
  private static final Path OTHER_GUESTS = memory();

  @RegisterExtension
  static final Backend BACKEND =
      new Backend(
          "software",
          "--listen=" + OTHER_URI,
          "--ivshmem=" + OTHER_URI + "=" + OTHER_GUESTS,
          "--listen=" + URI,
          "--ivshmem=" + URI + "=" + MEMORY,
          "--grace=" + Patience.of(Duration.ofSeconds(4)).toSeconds() + "s");

  /** As long as the parts, and somewhat longer. */
  private static Path memory() {
    return GuestFile.make((long) PARTS * PART + 4096);
  }

  @AfterAll
  static void removeMemory() throws IOException {
    Files.delete(MEMORY);
    Files.delete(OTHER_GUESTS);
  }

  /** A part is free again when its session's worker has ended. */
  @BeforeEach
  void awaitFreeParts() throws Exception {
    Patience.until("no workers of sessions", () -> BACKEND.daemon().children().count() <= 1);
  }

  private static Map<String, String> variables(String endpoint, Path memory) throws IOException {
    Map<String, String> variables = GuestFile.variables(BACKEND, endpoint, memory);
    variables.put("OUTBOARD_VERBOSE", "1");
    return variables;
  }

  private static Program.Ended run(Map<String, String> variables, String... words)
      throws Exception {
    return Program.run(List.of(words), variables);
  }

  private static Steady start() throws IOException {
    return Steady.start(variables(BACKEND.further(), MEMORY));
  }

  @Test
  void aProgramRuns() throws Exception {
    Program.Ended ended = run(variables(BACKEND.further(), MEMORY), Home.VECTOR_ADD.toString());
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, THROUGH_MEMORY), ended);
  }

  @Test
  void programsOfTheDriverRun() throws Exception {
    for (Path program : Home.corpus()) {
      if (program.getParent().endsWith("driver")) {
        Program.Ended ended = run(variables(BACKEND.further(), MEMORY), program.toString());
        assertEquals(0, ended.status(), () -> program + ": " + ended);
        assertTrue(ended.errors().startsWith(THROUGH_MEMORY), () -> program + ": " + ended);
      }
    }
  }

  /** Calls that name addresses of the program, and large ones, as over streams. */
  @Test
  void memoryIsTheProgramsAsOverStreams() throws Exception {
    Map<String, String> variables = variables(BACKEND.further(), MEMORY);
    for (String what : List.of("sizes", "threads")) {
      Program.prints("ok", "transfer", what, variables);
    }
    Program.prints("ok", "managed", "in-turns", variables);
    Program.prints("ok", "mapped", "in-turns", variables);
  }

  @Test
  void anotherListenerHasNoMemory() throws Exception {
    Program.Ended ended = run(variables(BACKEND.tcp(), MEMORY), Home.VECTOR_ADD.toString());
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, NO_MORE), ended);
  }

  /** The memory of another guest, say. */
  @Test
  void otherMemoryIsNotUsed() throws Exception {
    Path other = memory();
    try {
      Program.Ended ended = run(variables(BACKEND.further(), other), Home.VECTOR_ADD.toString());
      assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ANOTHER), ended);
    } finally {
      Files.delete(other);
    }
  }

  /** Neither open nor mapped. */
  @Test
  void theWorkerOfAGuestHasNoOtherGuestsMemory() throws Exception {
    try (Steady one = start();
        Steady other = Steady.start(variables(BACKEND.further(0), OTHER_GUESTS))) {
      one.awaitProgress();
      other.awaitProgress();
      assertEquals(THROUGH_MEMORY, one.errors());
      assertEquals(THROUGH_MEMORY, other.errors());
      assertEquals(Set.of(MEMORY.toString()), memories(BACKEND.worker(one.process())));
      assertEquals(Set.of(OTHER_GUESTS.toString()), memories(BACKEND.worker(other.process())));
      one.finishAfterAll();
      other.finishAfterAll();
    }
  }

  private static Set<String> memories(ProcessHandle process) throws IOException {
    Path proc = Path.of("/proc/" + process.pid());
    Set<String> found = new HashSet<>();
    for (String line : Files.readAllLines(proc.resolve("maps"))) {
      found.add(line.replaceAll(".* ", ""));
    }
    try (DirectoryStream<Path> open = Files.newDirectoryStream(proc.resolve("fd"))) {
      for (Path one : open) {
        found.add(Files.readSymbolicLink(one).toString());
      }
    }
    found.removeIf(name -> !name.startsWith(GuestFile.PREFIX));
    return found;
  }

  @Test
  void memoryBelongsToAListenerForGuests() throws Exception {
    assertRefused("--ivshmem=tcp://127.0.0.1:1=/m", "tcp://127.0.0.1:1 is no URI of --listen");
    assertRefused("--ivshmem=unix:/s=/m", "unix:/s is not for guests");
  }

  private static void assertRefused(String option, String why) throws Exception {
    List<String> command = new ArrayList<>(Backend.fromSources(BACKEND.folder()));
    command.addAll(List.of("serve", "--listen=unix:/s", option));
    Program.Ended ended = Program.run(command, Map.of());
    assertEquals(2, ended.status(), ended::toString);
    assertTrue(ended.errors().contains("--ivshmem: " + why), ended::toString);
  }

  @Test
  void eachSessionHasItsPartAndTheNextHasNone() throws Exception {
    Leftovers before = Leftovers.ofIdle(BACKEND);
    List<Steady> clients = new ArrayList<>();
    try {
      Set<Long> parts = new HashSet<>();
      for (int i = 0; i < PARTS; i++) {
        clients.add(start());
        clients.getLast().awaitProgress();
        assertEquals(THROUGH_MEMORY, clients.getLast().errors());
        assertTrue(parts.add(part(clients.getLast())), parts::toString);
      }
      clients.add(start());
      clients.getLast().awaitProgress();
      assertEquals(NO_MORE, clients.getLast().errors());
      for (Steady client : clients) {
        client.awaitProgress();
        client.finishAfterAll();
      }
    } finally {
      for (Steady client : clients) {
        client.close();
      }
    }
    before.awaitSame();
  }

  /** Where the part begins that a client has mapped. */
  private static long part(Steady client) throws IOException {
    List<String> mapped =
        Files.readAllLines(Path.of("/proc/" + client.process().pid() + "/maps")).stream()
            .filter(line -> line.endsWith(MEMORY.toString()))
            .map(line -> line.split(" ", 4)[2])
            .toList();
    assertEquals(1, mapped.size(), mapped::toString);
    return Long.parseLong(mapped.getFirst(), 16);
  }

  /** A session waits for a client that is gone, and keeps its part meanwhile. */
  @Test
  void killedClientsLeaveTheirParts() throws Exception {
    Leftovers before = Leftovers.ofIdle(BACKEND);
    for (int i = 0; i <= PARTS; i++) {
      try (Steady client = start()) {
        client.awaitProgress();
        assertEquals(THROUGH_MEMORY, client.errors());
        client.process().destroyForcibly();
      }
      awaitFreeParts();
    }
    before.awaitSame();
  }

  @Test
  void killedWorkersLeaveTheirParts() throws Exception {
    Leftovers before = Leftovers.ofIdle(BACKEND);
    for (int i = 0; i <= PARTS; i++) {
      try (Steady client = start()) {
        client.awaitProgress();
        assertEquals(THROUGH_MEMORY, client.errors());
        BACKEND.worker(client.process()).destroyForcibly();
        Patience.until("its end", () -> !client.process().isAlive());
        assertTrue(client.errors().contains("it closed the connection"), client::toString);
      }
    }
    before.awaitSame();
  }

  /** The rings keep what the other side may lack. */
  @Test
  void aSessionInMemoryGoesOnOverTheStream() throws Exception {
    try (Proxy proxy = proxy();
        Steady client = Steady.start(variables(proxy.endpoint(), MEMORY))) {
      client.awaitProgress();
      assertEquals(THROUGH_MEMORY, client.errors());
      proxy.off();
      client.awaitSaid("is lost");
      proxy.on();
      client.awaitSaid(GuestFile.OVER_THE_STREAM);
      client.awaitProgress();
      client.finishAfterAll();
    }
  }

  @Test
  void nothingIsLostOrComesTwiceWhereverItIsCut() throws Exception {
    Random random = new Random(20261126);
    for (int i = 0; i < Amount.of(3, 100); i++) {
      awaitFreeParts();
      try (Proxy proxy = proxy();
          Steady client = Steady.start(variables(proxy.endpoint(), MEMORY))) {
        client.awaitProgress();
        Thread.sleep(random.nextInt(20));
        proxy.off();
        proxy.on();
        client.awaitSaid(GuestFile.OVER_THE_STREAM);
        proxy.off();
        proxy.on();
        client.awaitProgress();
        client.finishAfterAll();
      }
    }
  }

  /** As a guest's that moves, whose memory is what it was for a moment. */
  @Test
  void memoryThatChangesIsUsedNoMore() throws Exception {
    for (int word : new int[] {TO_CLIENT, TO_BACKEND}) {
      try (Steady client = start();
          FileChannel memory = FileChannel.open(MEMORY, StandardOpenOption.WRITE)) {
        client.awaitProgress();
        long place = part(client) + word;
        Patience.until(client::toString, () -> isLeft(client, memory, place));
        client.awaitProgress();
        client.finishAfterAll();
      }
    }
  }

  @Test
  void aSessionBesideItOutlivesItsConnection() throws Exception {
    Path other = memory();
    try (Proxy proxy = proxy();
        Steady client = Steady.start(variables(proxy.endpoint(), other))) {
      client.awaitProgress();
      assertEquals(ANOTHER, client.errors());
      proxy.off();
      client.awaitSaid("is lost");
      proxy.on();
      client.awaitSaid("is back");
      client.awaitProgress();
      client.finishAfterAll();
    } finally {
      Files.delete(other);
    }
  }

  private static boolean isLeft(Steady client, FileChannel memory, long place) throws IOException {
    memory.write(ByteBuffer.allocate(Long.BYTES), place);
    return client.errors().endsWith(GuestFile.OVER_THE_STREAM);
  }

  private static Proxy proxy() throws IOException {
    return new Proxy(BACKEND.further(), List.of());
  }

  /**
   * A session that goes on without its daemon keeps its part, of which the next daemon knows
   * nothing.
   */
  @Test
  void theNextDaemonGivesNobodyAPartThatIsTaken() throws Exception {
    try (Steady survivor = start()) {
      survivor.awaitProgress();
      BACKEND.daemon().destroyForcibly();
      BACKEND.daemon().onExit().join();
      survivor.awaitProgress();
      BACKEND.startAgain();
      try (Steady next = start()) {
        next.awaitProgress();
        assertEquals(THROUGH_MEMORY, next.errors());
        assertNotEquals(part(survivor), part(next));
        survivor.awaitProgress();
        next.finishAfterAll();
      }
      survivor.finishAfterAll();
    }
  }
}
