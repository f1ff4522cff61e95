// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.communicator.certificate.TlsIdentity;
import io.outboard.lease.Form;
import io.outboard.offload.OffloadException;
import io.outboard.offload.call.Caller;
import io.outboard.offload.call.OffloadMethod;
import io.outboard.offload.client.Code;
import io.outboard.offload.client.Offloading;
import io.outboard.offload.value.ValueReader;
import io.outboard.offload.value.ValueWriter;
import io.outboard.patience.Patience;
import io.outboard.wire.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Java code of a client on a backend, as users have it: compiled, sent, called, and attacked. */
final class OffloadTest {
  private static final Path EXAMPLES = Home.PATH.resolve("examples/offload/src/main/java");
  private static final Path HOSTILE = Home.PATH.resolve("conformance/offload/hostile");
  private static final OffloadedJar QUEENS;
  private static final OffloadedJar FACES;
  private static final OffloadedJar ATTACKER;
  private static final Path FOLDER;
  private static final String OWN_JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  static {
    try {
      FOLDER = Folders.make("outboard-offload");
      QUEENS = OffloadedJar.of(EXAMPLES.resolve("queens"), FOLDER.resolve("one"));
      FACES = OffloadedJar.of(EXAMPLES.resolve("faces"), FOLDER.resolve("three"));
      ATTACKER = OffloadedJar.of(HOSTILE, FOLDER.resolve("two"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static TlsIdentity server;
  private static TlsIdentity signer;

  @RegisterExtension static final Backend BACKEND = served();

  private static Backend served() {
    try {
      Certificates certificates = new Certificates(FOLDER);
      server = certificates.server("localhost", "127.0.0.1");
      signer = certificates.client("signer");
      Path chain = certificates.write("server", server);
      return new Backend(
              "software",
              "--offload=" + settings(),
              "--listen=tls://127.0.0.1:0",
              "--tls-cert=" + chain)
          .withFolder(FOLDER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path settings() {
    try {
      return Files.writeString(
          FOLDER.resolve("offload.conf"),
          """
          jars jars
          memory 256
          processors 1
          call-seconds 120
          tenant-sessions 16
          operator %s
          operator %s
          operator %s
          tenant alice %s
          tenant-signer carol %s
          """
              .formatted(
                  QUEENS.digest(),
                  FACES.digest(),
                  ATTACKER.digest(),
                  ATTACKER.digest(),
                  signer.fingerprint()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Offloading.Builder backend() throws IOException {
    return Offloading.to(BACKEND.tcp()).token(BACKEND.token());
  }

  /** The attacker's methods by their numbers, which its interface orders. */
  private static final class Attacker implements AutoCloseable {
    private static final OffloadMethod<Integer> COUNT = method(0, "count", ValueReader::ofInt);
    private static final OffloadMethod<Void> SLEEP = method(1, "sleep", _ -> null);
    private static final OffloadMethod<Void> LOOP = method(2, "loop", _ -> null);
    private static final OffloadMethod<Void> TAKE_MEMORY = method(3, "takeMemory", _ -> null);
    private static final OffloadMethod<Void> END = method(4, "end", _ -> null);
    private static final OffloadMethod<String> ATTEMPT =
        method(5, "attempt", in -> in.ofString(1 << 20));

    private final Offloading offloading;
    private final Caller caller;

    Attacker() throws Exception {
      this(backend().code(Code.of(ATTACKER.file())).build());
    }

    Attacker(Offloading offloading) throws Exception {
      this.offloading = offloading;
      caller = offloading.caller("hostile", digest(ATTACKER, "hostile.HostileRemote"));
    }

    private static <R> OffloadMethod<R> method(
        int number, String name, OffloadMethod.Result<R> result) {
      return new OffloadMethod<>(
          number, name, false, result, (_, text) -> new InterruptedException(text));
    }

    int count() {
      return caller.call(COUNT, caller.arguments()).value();
    }

    CompletableFuture<Void> sleep(int milliseconds) {
      ValueWriter out = caller.arguments();
      out.of(milliseconds);
      return caller.begin(SLEEP, out);
    }

    CompletableFuture<Void> begin(OffloadMethod<Void> method, String... texts) {
      ValueWriter out = caller.arguments();
      for (String text : texts) {
        out.of(text, 1 << 20);
      }
      return caller.begin(method, out);
    }

    String attempt(String what) {
      ValueWriter out = caller.arguments();
      out.of(what, 1 << 20);
      return caller.call(ATTEMPT, out).value();
    }

    @Override
    public void close() {
      offloading.close();
    }
  }

  /** The encodings of an interface, as its jar has them. */
  private static String digest(OffloadedJar jar, String remote) throws Exception {
    URL[] classes = {jar.classes().toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classes)) {
      Field field = loader.loadClass(remote).getField("DIGEST");
      return (String) field.get(null);
    }
  }

  private static void isLost(CompletableFuture<?> call) {
    ExecutionException thrown = assertThrows(ExecutionException.class, call::get);
    assertEquals(
        OffloadException.Kind.LOST,
        assertInstanceOf(OffloadException.class, thrown.getCause()).kind(),
        thrown::toString);
  }

  /** What {@code java} on this machine's path says of its version; empty where there is none. */
  private static String pathsJava() throws Exception {
    if (!Program.isHere("java")) {
      return "";
    }
    Program.Ended ended = Program.run(List.of("java", "-version"), Map.of());
    return ended.errors().lines().findFirst().orElse("");
  }

  @Test
  void aProgramOnJava17CountsOnTheBackend() throws Exception {
    assumeTrue(pathsJava().contains("\"17."), "java is not of a JDK 17");
    for (int i = 0; i < 2; i++) {
      Program.Ended ended = run("java", QUEENS, "queens.Main", "8");
      assertEquals(0, ended.status(), ended::toString);
      assertTrue(ended.output().startsWith("8 queens: 92 ways, "), ended::toString);
    }
    assertTrue(BACKEND.log().contains(": queens of " + QUEENS.digest()), BACKEND.log());
  }

  @Test
  void facesAreFoundOnTheBackend() throws Exception {
    Program.Ended ended = run(OWN_JAVA, FACES, "faces.Main");
    assertEquals("3 of 3 faces, 3 boxes\n", ended.output(), ended::toString);
    assertEquals(1, workers("faces", FACES).size());
  }

  /** Runs a program of a jar with the backend's place, its token and the jar. */
  private static Program.Ended run(String java, OffloadedJar jar, String main, String... more)
      throws Exception {
    List<String> command = new ArrayList<>();
    String path = OffloadedJar.path(OffloadedJar.CLIENT) + ":" + jar.file();
    command.addAll(List.of(java, "-cp", path, main, BACKEND.tcp()));
    command.addAll(List.of(BACKEND.tokenFile().toString(), jar.file().toString()));
    command.addAll(List.of(more));
    return Program.run(command, Map.of());
  }

  @Test
  void severalWorkersShareACallAndOneIsKilled() throws Exception {
    int before = workers("queens", QUEENS).size();
    FutureTask<Program.Ended> counting =
        new FutureTask<>(() -> run(OWN_JAVA, QUEENS, "queens.Shared", "14", "3"));
    Thread.ofPlatform().start(counting);
    Patience.until("three workers", () -> workers("queens", QUEENS).size() >= before + 3);
    kill(workers("queens", QUEENS).getLast());
    Program.Ended ended = counting.get();
    assertEquals("14 queens: 365596 ways, by 3 workers\n", ended.output(), ended::toString);
  }

  @Test
  void aJarThatWasSentIsThere() throws Exception {
    try (Attacker first = new Attacker();
        Attacker second = new Attacker(backend().code(Code.installed(ATTACKER.digest())).build())) {
      assertEquals(1, first.count());
      // Each session has a worker of its own.
      assertEquals(1, second.count());
      assertEquals(2, first.count());
    }
  }

  private static void isRefused(String why, Offloading.Builder builder) throws Exception {
    try (Attacker attacker = new Attacker(builder.build())) {
      OffloadException refused = assertThrows(OffloadException.class, attacker::count);
      assertEquals(OffloadException.Kind.NOT_BEGUN, refused.kind());
      assertTrue(refused.getMessage().contains(why), refused::getMessage);
    }
  }

  @Test
  void aJarThatIsNotListedIsRefused() throws Exception {
    byte[] other = Files.readAllBytes(ATTACKER.file());
    other[other.length / 2] ^= 1;
    isRefused("is not on the list", backend().code(Code.of(other)));
  }

  @Test
  void aTenantWithoutAListHasNothingRun() throws Exception {
    Form lease = new Leases(BACKEND).request(new Form().with("share", 1));
    isRefused(
        "is not on the list",
        Offloading.to(BACKEND.tcp()).token(lease.get("token")).code(Code.of(ATTACKER.file())));
    Form unused = new Leases(BACKEND).change("release", lease);
  }

  @Test
  void aSignatureLetsAJarRunThatNoListNames() throws Exception {
    Leases leases = new Leases(BACKEND);
    Form lease = leases.request(new Form().with("share", 1).with("tenant", "carol"));
    Offloading.Builder carol = Offloading.to(BACKEND.tcp()).token(lease.get("token"));
    byte[] signed = ATTACKER.signedBy(signer);
    try (Attacker attacker = new Attacker(carol.code(Code.of(signed)).build())) {
      assertEquals(1, attacker.count());
    }
    // It is kept for nobody, and its signer counts for this tenant alone.
    isRefused("is not installed", carol.code(Code.installed(Sha256.of(signed).hex())));
    isRefused("is not on the list", backend().code(Code.of(signed)));
    isRefused("no listed signer", carol.code(Code.of(ATTACKER.signedBy(server))));
    isRefused("not signed", carol.code(Code.of(ATTACKER.file())));
    Form unused = leases.change("release", lease);
  }

  @Test
  void overTlsThePinnedCertificateIsTrustedAndNoOther() throws Exception {
    String place = BACKEND.further().replaceFirst(".*@|tls://", "");
    String pin = Sha256.of(server.certificate().getEncoded()).hex();
    for (String trusted : List.of(pin, "0".repeat(64), "")) {
      String uri = "tls://" + (trusted.isEmpty() ? "" : trusted + "@") + place;
      Offloading.Builder over =
          Offloading.to(uri).token(BACKEND.token()).code(Code.of(ATTACKER.file()));
      if (trusted.equals(pin)) {
        try (Attacker attacker = new Attacker(over.build())) {
          assertEquals(1, attacker.count());
        }
      } else {
        isRefused("certif", over);
      }
    }
  }

  @Test
  void aTenantsCodeEndsWithItsLease() throws Exception {
    Leases leases = new Leases(BACKEND);
    Form lease = leases.request(new Form().with("share", 1).with("tenant", "alice"));
    Offloading.Builder alice =
        Offloading.to(BACKEND.tcp()).token(lease.get("token")).code(Code.of(ATTACKER.file()));
    try (Attacker attacker = new Attacker(alice.build())) {
      assertEquals(1, attacker.count());
      CompletableFuture<Void> sleep = attacker.sleep(600_000);
      Form unused = leases.change("release", lease);
      isLost(sleep);
      OffloadException over = assertThrows(OffloadException.class, attacker::count);
      assertEquals(OffloadException.Kind.NOT_BEGUN, over.kind());
    }
  }

  @Test
  void aServiceThatTheJarDoesNotNameIsNotThere() throws Exception {
    try (Offloading offloading = backend().code(Code.of(ATTACKER.file())).build()) {
      for (String name : List.of("java.lang.Runtime", "hostile.HostileHere", "queens")) {
        Caller caller = offloading.caller(name, "0".repeat(64));
        OffloadException refused =
            assertThrows(
                OffloadException.class, () -> caller.call(Attacker.COUNT, caller.arguments()));
        assertTrue(refused.getMessage().contains("no service " + name), refused::getMessage);
      }
    }
  }

  @Test
  void anEndlessLoopIsBoundedByItsCancellation() throws Exception {
    try (Attacker attacker = new Attacker()) {
      CompletableFuture<Void> loop = attacker.begin(Attacker.LOOP);
      CompletableFuture<Void> sleep = attacker.sleep(600_000);
      assertTrue(loop.cancel(true));
      isLost(sleep);
      assertEquals(1, attacker.count());
    }
  }

  @Test
  void memoryIsBounded() throws Exception {
    try (Attacker attacker = new Attacker()) {
      for (String how : List.of("heap", "direct")) {
        isLost(attacker.begin(Attacker.TAKE_MEMORY, how));
      }
      assertEquals(1, attacker.count());
    }
  }

  @Test
  void aWorkerThatEndsIsAnErrorAndNothingIsRepeated() throws Exception {
    try (Attacker attacker = new Attacker()) {
      assertEquals(1, attacker.count());
      CompletableFuture<Void> sleep = attacker.sleep(600_000);
      isLost(attacker.begin(Attacker.END));
      isLost(sleep);
      assertEquals(1, attacker.count());
    }
  }

  @Test
  void nothingOfTheMachineIsInReach() throws Exception {
    String port = BACKEND.tcp().replaceAll(".*:", "");
    List<String> attempts =
        List.of(
            "run /usr/bin/ld",
            "run /bin/true",
            "connect " + port,
            "read /etc/passwd",
            "read " + BACKEND.tokenFile(),
            "write /usr/lib/x",
            "load io.outboard.backend.code.CodeSession",
            "load io.outboard.communicator.posix.Posix",
            "see " + BACKEND.daemon().pid());
    try (Attacker attacker = new Attacker()) {
      for (String attempt : attempts) {
        String result = attacker.attempt(attempt);
        assertTrue(result.startsWith("refused: "), () -> attempt + ": " + result);
      }
      // The virtual machine asks the kernel which it may use.
      assertEquals("counted 1", attacker.attempt("count"));
      assertEquals(1, attacker.count());
    }
  }

  @Test
  void withoutTheOptionNothingRuns() throws Exception {
    Backend other = new Backend();
    other.beforeAll(null);
    try {
      isRefused(
          "runs no code of clients",
          Offloading.to(other.tcp()).token(other.token()).code(Code.of(ATTACKER.file())));
    } finally {
      other.afterAll(null);
    }
  }

  @Test
  void whoKillsAWorkerHasAnErrorAndNeverTwoCalls() throws Exception {
    try (Attacker attacker = new Attacker()) {
      assertEquals(1, attacker.count());
      CompletableFuture<Void> sleep = attacker.sleep(600_000);
      // Not one that waits: the next session could get it before its end is seen.
      kill(workers("hostile", ATTACKER).getLast());
      isLost(sleep);
      assertEquals(1, attacker.count());
    }
  }

  private static void kill(long worker) {
    ProcessHandle.of(worker).ifPresent(ProcessHandle::destroyForcibly);
  }

  /** The workers of the sessions of a service, in the order in which they were opened. */
  private static List<Long> workers(String service, OffloadedJar jar) throws IOException {
    String mark = ": %s of %s, worker ".formatted(service, jar.digest());
    return BACKEND
        .log()
        .lines()
        .filter(line -> line.contains(mark))
        .map(line -> Long.valueOf(line.substring(line.indexOf(mark) + mark.length())))
        .toList();
  }
}
