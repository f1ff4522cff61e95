// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.client.ClientLibrary;
import io.outboard.client.Session;
import io.outboard.communicator.Endpoint;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRemote;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.patience.Patience;
import io.outboard.testkit.Amount;
import io.outboard.wire.Handles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program goes on over another connection when its own is cut, and comes to the same results. */
@Order(1)
final class LostLinkTest {
  private static final int VSOCK_PORT = 14900;
  private static Path folder;
  private static Certificates certificates;

  @RegisterExtension static final Backend BACKEND = backend();

  private static final int ROUNDS = 40;

  /** The bytes that the program moves in one round, each way. */
  private static final int ROUND = 80_000;

  /** The session is open after so many, which a client that opens it does not send twice. */
  private static final int OPENING = 16_000;

  /** More than a client's greeting has, and one that comes back. */
  private static final int HELLO = 6_000;

  private static final int RETURN = 400;
  private static final int SMALL = 3_000;
  private static final int LARGE = 6 << 20;
  private static final int CUTS = 12;

  /** More than is kept, and than the backend has to say that it has. */
  private static final int COPY = 12 << 20;

  /** Pairs of calls that nobody waits for, in one round. */
  private static final int POSTED = 200;

  private final Random random = new Random(20261124);

  private static Backend backend() {
    try {
      folder = Folders.make("outboard-lost");
      certificates = new Certificates(folder);
      Path chain = certificates.write("server", certificates.server("localhost", "127.0.0.1"));
      return new Backend(
              "software",
              "--listen=vsock-uds:" + folder.resolve("v.sock") + ":" + VSOCK_PORT,
              "--listen=tls://127.0.0.1:0",
              "--tls-cert=" + chain)
          .withFolder(folder);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aProgramSurvivesCutsOfItsConnection() throws Exception {
    Leftovers before = Leftovers.ofIdle(BACKEND);
    for (int i = 0; i < Amount.of(1, 100); i++) {
      survives(BACKEND.tcp(), "tcp", cuts(2 * CUTS));
    }
    before.awaitSame();
  }

  /** The companion that encrypts stays, and makes a connection for each that the program makes. */
  @Test
  void anEncryptedOneGoesOn() throws Exception {
    for (int i = 0; i < Amount.of(1, 50); i++) {
      survives(BACKEND.further(), "tls", cuts(CUTS));
    }
  }

  /**
   * Copies there and back of a client on the JVM, larger than what either side keeps. An interrupt
   * is the program's own, and ends nothing.
   */
  @Test
  void aClientOnTheJvmGoesOn() throws Exception {
    List<Cut> cuts = new ArrayList<>();
    for (int i = 0; i < CUTS; i++) {
      cuts.add(cut(HELLO, i % 2 == 0 ? SMALL : LARGE));
    }
    try (Proxy proxy = new Proxy(BACKEND.tcp(), cuts);
        Session session = open(proxy.endpoint());
        Arena arena = Arena.ofConfined()) {
      copiesComeBack(session, arena, proxy);
      assertEquals(Optional.empty(), session.lostBecause());
    }
  }

  private void copiesComeBack(Session session, Arena arena, Proxy proxy) {
    CudaDriver driver = new CudaDriverRemote(session);
    MemorySegment there = arena.allocate(COPY);
    MemorySegment back = arena.allocate(COPY);
    long memory = allocate(session, driver, arena, COPY);
    byte[] bytes = new byte[COPY];
    for (int round = 0; proxy.made() < CUTS && round < ROUNDS; round++) {
      random.nextBytes(bytes);
      there.copyFrom(MemorySegment.ofArray(bytes));
      Thread.currentThread().interrupt();
      assertEquals(0, driver.cuMemcpyHtoD_v2(memory, there.address(), COPY));
      assertTrue(Thread.interrupted());
      assertEquals(0, driver.cuMemcpyDtoH_v2(back.address(), memory, COPY));
      assertEquals(-1, there.mismatch(back));
    }
    assertEquals(CUTS, proxy.made());
  }

  /** Calls that nobody waits for are issued once each, in their order. */
  @Test
  void callsThatWerePostedOnTheJvmGoOn() throws Exception {
    List<Cut> cuts = new ArrayList<>();
    for (int i = 0; i < CUTS; i++) {
      cuts.add(new Cut(how(), true, HELLO + random.nextInt(ROUND)));
    }
    try (Proxy proxy = new Proxy(BACKEND.tcp(), cuts);
        Session session = open(proxy.endpoint());
        Arena arena = Arena.ofConfined()) {
      CudaDriver driver = new CudaDriverRemote(session);
      long memory = allocate(session, driver, arena, POSTED * Integer.BYTES);
      MemorySegment back = arena.allocate(ValueLayout.JAVA_INT, POSTED);
      for (int round = 0; proxy.made() < CUTS && round < 10 * ROUNDS; round++) {
        for (int i = 0; i < POSTED; i++) {
          assertEquals(0, driver.cuMemsetD32Async(memory + 4L * i, round, POSTED - i, 0));
          assertEquals(0, driver.cuMemsetD32Async(memory + 4L * i, round + i, 1, 0));
        }
        assertEquals(0, driver.cuMemcpyDtoH_v2(back.address(), memory, back.byteSize()));
        for (int i = 0; i < POSTED; i++) {
          assertEquals(round + i, back.getAtIndex(ValueLayout.JAVA_INT, i));
        }
      }
      assertEquals(CUTS, proxy.made());
    }
  }

  @Test
  void whoPostsOnTheJvmLearnsThatTheWorkerHasEnded() throws Exception {
    try (Session session = open(BACKEND.tcp());
        Arena arena = Arena.ofConfined()) {
      CudaDriver driver = new CudaDriverRemote(session);
      long memory = allocate(session, driver, arena, Integer.BYTES);
      BACKEND.worker(ProcessHandle.current()).destroyForcibly();
      Patience.until(
          "an error",
          () -> driver.cuMemsetD32Async(memory, 1, 1, 0) == CudaDriverTable.UNAVAILABLE);
      assertEquals(CudaDriverTable.UNAVAILABLE, driver.cuCtxSynchronize());
    }
  }

  private static Session open(String endpoint) throws IOException {
    return Session.open(
        Endpoint.parse(endpoint),
        List.of(ClientLibrary.CUDA),
        Map.of("OUTBOARD_TOKEN", BACKEND.token()));
  }

  /** Enters the device's context. */
  private static long allocate(Session session, CudaDriver driver, Arena arena, int bytes) {
    MemorySegment word = arena.allocate(Long.BYTES, Long.BYTES);
    assertEquals(0, driver.cuInit(0));
    assertEquals(0, driver.cuDevicePrimaryCtxRetain(word.address(), 0));
    session.lane(Handles.index(word.get(ValueLayout.JAVA_LONG, 0)));
    assertEquals(0, driver.cuMemAlloc_v2(word.address(), bytes));
    return word.get(ValueLayout.JAVA_LONG, 0);
  }

  @Test
  void aProgramInAGuestGoesOn() throws Exception {
    try (HybridVmm vmm =
        new HybridVmm(folder.resolve("v.sock"), VSOCK_PORT, folder.resolve("guest.sock"))) {
      for (int i = 0; i < Amount.of(1, 50); i++) {
        survives(vmm.overTcp(), "tcp", cuts(CUTS));
      }
    }
  }

  private List<Cut> cuts(int count) {
    List<Cut> cuts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      cuts.add(cut(2 * ROUND));
    }
    return cuts;
  }

  private Cut cut(int most) {
    return cut(OPENING, most);
  }

  private Cut cut(int least, int most) {
    Proxy.How how = how();
    boolean toBackend = random.nextBoolean();
    return new Cut(how, toBackend, least + random.nextInt(most));
  }

  /** A client that waits sees the backend's silence after a while only. */
  private Proxy.How how() {
    List<Proxy.How> seen = List.of(Proxy.How.END, Proxy.How.RESET, Proxy.How.HALF);
    return seen.get(random.nextInt(seen.size()));
  }

  @Test
  void aTransferOverSeveralConnectionsBeginsAgain() throws Exception {
    int made = 0;
    for (int i = 0; i < Amount.of(3, 100); i++) {
      List<Cut> cuts = new ArrayList<>();
      for (int cut = 0; cut < CUTS; cut++) {
        cuts.add(cut(LARGE));
      }
      try (Proxy proxy = new Proxy(BACKEND.tcp(), cuts)) {
        String program = Home.PROGRAMS.resolve("transfer").toString();
        String what = List.of("sizes", "large-in-order", "threads").get(i % 3);
        Program.Ended ended = Program.run(List.of(program, what), variables(proxy, "3"));
        assertEquals("ok\n", ended.output(), () -> what + ": " + ended + "\n" + cuts);
        made += proxy.made();
      }
    }
    assertTrue(made >= CUTS, made + " cuts");
  }

  /** Connections that threads have to themselves come back each, and the order of calls holds. */
  @ParameterizedTest
  @CsvSource({"tcp,17,400", "tcp,3,400", "tls,17,6000"})
  void connectionsOfThreadsGoOn(String scheme, String connections, int least) throws Exception {
    String backend = scheme.equals("tls") ? BACKEND.further() : BACKEND.tcp();
    for (int i = 0; i < Amount.of(1, 50); i++) {
      List<Cut> cuts = new ArrayList<>(List.of(cut(OPENING, SMALL)));
      for (int cut = 1; cut < 4 * CUTS; cut++) {
        cuts.add(cut(least, SMALL));
      }
      try (Proxy proxy = new Proxy(backend, cuts)) {
        Map<String, String> variables = variables(proxy, "0");
        variables.put("OUTBOARD_RINGS", connections);
        variables.put("OUTBOARD_CA", certificates.ca().toString());
        List<String> program =
            List.of(Home.PROGRAMS.resolve("threads").toString(), 3000 + 40 * i + "+40");
        Program.Ended ended = Program.run(on(proxy.endpoint(scheme), program), variables);
        assertEquals("ok\n", ended.output(), () -> program + ": " + ended + "\n" + cuts);
        assertTrue(proxy.made() > CUTS, () -> proxy.made() + " cuts");
      }
    }
  }

  /**
   * Nobody need wait for what was posted over a connection that the backend alone has lost, but
   * calls of other threads do.
   */
  @Test
  void aConnectionOfAThreadThatOnlyTheBackendHasLostComesBack() throws Exception {
    Cut never = new Cut(Proxy.How.END, true, Long.MAX_VALUE);
    List<Cut> cuts = List.of(never, cut(Proxy.How.FAR), cut(Proxy.How.FAR));
    try (Proxy proxy = new Proxy(BACKEND.tcp(), cuts)) {
      Map<String, String> variables = variables(proxy, "0");
      variables.put("OUTBOARD_RINGS", "3");
      String program = Home.PROGRAMS.resolve("threads").toString();
      Program.Ended ended = Program.run(List.of(program, "5000+20"), variables);
      assertEquals("ok\n", ended.output(), () -> ended + "\n" + cuts);
      assertEquals(2, proxy.made());
    }
  }

  private Cut cut(Proxy.How how) {
    return new Cut(how, true, SMALL + random.nextInt(SMALL));
  }

  /**
   * One side alone sees the loss, and tells the other, so that neither waits until it sees silence.
   */
  @ParameterizedTest
  @CsvSource({"HALF,true", "HALF,false", "FAR,true", "FAR,false"})
  void aHalfOpenConnectionForTransfersIsGivenUp(Proxy.How how, boolean toBackend) throws Exception {
    Cut never = new Cut(Proxy.How.END, true, Long.MAX_VALUE);
    Cut cut = new Cut(how, toBackend, LARGE / 2);
    String program = Home.PROGRAMS.resolve("transfer").toString();
    try (Proxy proxy = new Proxy(BACKEND.tcp(), List.of(never, cut))) {
      Map<String, String> variables = variables(proxy, "1");
      variables.put("OUTBOARD_VERBOSE", "1");
      Program.Ended ended = Program.run(List.of(program, "sizes"), variables);
      assertEquals("ok\n", ended.output(), ended::toString);
      assertFalse(ended.errors().contains("silent"), ended::toString);
      assertFalse(BACKEND.log().contains("a transfer was given up"), BACKEND.log());
      assertEquals(1, proxy.made());
    }
  }

  /**
   * Reads that nobody waits for are fetched again too, once the program learns that they are over.
   */
  @Test
  void largeReadsOfOpenClBeginAgain() throws Exception {
    String program = Home.EXAMPLES.resolve("opencl/largeTransfers").toString();
    assumeTrue(
        Program.run(List.of(program), Map.of()).status() == 0, "this machine has no OpenCL device");
    Backend backend = new Backend("opencl");
    backend.beforeAll(null);
    try {
      int made = 0;
      for (int i = 0; i < Amount.of(3, 100); i++) {
        made += cutsSurvived(backend, program);
      }
      assertTrue(made >= CUTS, made + " cuts");
    } finally {
      backend.afterAll(null);
    }
  }

  private int cutsSurvived(Backend backend, String program) throws Exception {
    List<Cut> cuts = new ArrayList<>();
    for (int cut = 0; cut < CUTS; cut++) {
      cuts.add(new Cut(how(), false, OPENING + random.nextInt(LARGE)));
    }
    try (Proxy proxy = new Proxy(backend.tcp(), cuts)) {
      Map<String, String> variables = variables(backend, proxy, "3");
      variables.put("LD_LIBRARY_PATH", Home.LIBRARIES.resolve("opencl").toString());
      Program.Ended ended = Program.run(List.of(program), variables);
      assertEquals(0, ended.status(), () -> ended + "\n" + cuts);
      return proxy.made();
    }
  }

  /** Among graphs, and functions of the program that they call. */
  @Test
  void callbacksAndGraphsGoOn() throws Exception {
    int made = 0;
    for (List<String> words :
        List.of(
            List.of("nodes", "host-copies"),
            List.of("nodes", "printed"),
            List.of("relays", "added"),
            List.of("relays", "boxes"))) {
      List<Cut> cuts = new ArrayList<>(List.of(cut(HELLO, SMALL)));
      for (int cut = 1; cut < CUTS; cut++) {
        cuts.add(cut(RETURN, SMALL));
      }
      try (Proxy proxy = new Proxy(BACKEND.tcp(), cuts)) {
        String program = Home.PROGRAMS.resolve(words.getFirst()).toString();
        Program.Ended ended = Program.run(List.of(program, words.getLast()), variables(proxy, "0"));
        assertTrue(ended.output().endsWith("ok\n"), () -> words + ": " + ended + "\n" + cuts);
        made += proxy.made();
      }
    }
    assertTrue(made > CUTS, made + " cuts");
  }

  @Test
  void aSessionWhoseWorkerHasEndedIsGone() throws Exception {
    try (Steady victim = Steady.start("steady", BACKEND, BACKEND.tcp())) {
      victim.awaitProgress();
      BACKEND.worker(victim.process()).destroyForcibly();
      victim.awaitGone("its worker ended, killed by signal 9");
    }
  }

  private static Map<String, String> variables(Proxy proxy, String connections) throws IOException {
    return variables(BACKEND, proxy, connections);
  }

  private static Map<String, String> variables(Backend backend, Proxy proxy, String connections)
      throws IOException {
    Map<String, String> variables = new HashMap<>(backend.variables(backend.tcp()));
    variables.put("OUTBOARD", proxy.endpoint());
    variables.put("OUTBOARD_BULK", connections);
    return variables;
  }

  private static void survives(String backend, String scheme, List<Cut> cuts) throws Exception {
    String steady = Home.PROGRAMS.resolve("steady").toString();
    List<String> program = List.of(steady, Integer.toString(ROUNDS));
    try (Proxy proxy = new Proxy(backend, cuts)) {
      Map<String, String> variables = variables(proxy, "0");
      variables.put("OUTBOARD_CA", certificates.ca().toString());
      Program.Ended ended = Program.run(on(proxy.endpoint(scheme), program), variables);
      Program.Ended uncut = Program.run(program, BACKEND.variables(BACKEND.tcp()));
      assertEquals(0, ended.status(), () -> ended + "\n" + cuts + "\n");
      assertEquals(uncut.output(), ended.output());
      assertEquals(cuts.size(), proxy.made(), ended::toString);
      assertTrue(ended.errors().contains("is back"), ended::toString);
    }
  }

  /** A program encrypts through a companion, which this command starts. */
  private static List<String> on(String uri, List<String> program) {
    List<String> command =
        new ArrayList<>(List.of(Home.TOOLS.resolve("outboard-run").toString(), "--on", uri, "--"));
    command.addAll(program);
    return command;
  }
}
