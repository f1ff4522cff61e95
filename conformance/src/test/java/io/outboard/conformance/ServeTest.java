// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code outboard serve}. */
final class ServeTest {
  private static final String SERVING = "serving Outboard Software GPU at ";
  private static final Pattern WAITING = Pattern.compile("waiting for \\d+ sessions? to end");

  @TempDir private Path home;
  private Launcher outboard;
  private Process backend;
  private BufferedReader lines;

  @BeforeEach
  void makeHome() throws IOException {
    outboard = new Launcher(home);
  }

  @AfterEach
  void end() throws InterruptedException {
    if (backend != null) {
      backend.destroyForcibly().waitFor();
    }
  }

  private void serve(String... options) throws IOException {
    String[] arguments = new String[options.length + 2];
    arguments[0] = "serve";
    arguments[1] = "--device=software";
    System.arraycopy(options, 0, arguments, 2, options.length);
    backend = outboard.start(arguments);
    lines = new BufferedReader(new InputStreamReader(backend.getInputStream(), UTF_8));
  }

  private String endpoint() throws IOException {
    String line = lines.readLine();
    assertTrue(line != null && line.startsWith(SERVING), () -> line + "; " + errors());
    return line.substring(SERVING.length());
  }

  private String errors() {
    try {
      return outboard.errors();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void assertProgramsRun() throws IOException, InterruptedException {
    Program.Ended ended = outboard.run("run", "--", Home.VECTOR_ADD.toString());
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), ended);
  }

  @Test
  void onTheUsersSocketItIsFoundAndEndsWhenTold() throws Exception {
    serve();
    assertEquals("unix:" + outboard.socket(), endpoint());
    assertEquals("rw-------", mode(outboard.socket()));
    assertProgramsRun();
    backend.destroy();
    assertEquals(0, Patience.exit(backend));
    assertFalse(Files.exists(outboard.socket()), "the socket is left");
  }

  /** Its own session, by which it asks what it serves, is nobody's to read about. */
  @Test
  void itBeginsWithWhatItServesAndWhatToTypeNext() throws Exception {
    serve();
    endpoint();
    assertEquals("outboard run -- PROGRAM", outboard.awaitLine(lines, "next, in another shell: "));
    assertEquals("", errors());
  }

  @Test
  void whereProgramsWantALeaseThatIsNext() throws Exception {
    String elsewhere = "unix:" + home.resolve("elsewhere");
    serve("--require-lease", "--listen=" + elsewhere);
    endpoint();
    assertEquals(
        "eval \"$(outboard lease --on %s)\"; outboard run -- PROGRAM".formatted(elsewhere),
        outboard.awaitLine(lines, "next, in another shell: "));
  }

  /** As after su, or by cron. */
  @Test
  void withoutARuntimeFolderItsSocketIsAmongItsState() throws Exception {
    assumeFalse("root".equals(System.getProperty("user.name")), "root's socket is the system's");
    outboard.set("XDG_RUNTIME_DIR", "");
    serve();
    Path socket = home.resolve(".local/state/outboard/run/outboard.sock");
    assertEquals("unix:" + socket, endpoint());
    assertEquals("rwx------", mode(socket.getParent()));
    assertProgramsRun();
    assertEquals(0, outboard.run("devices").status());
    outboard.set("XDG_RUNTIME_DIR", outboard.runtime().toString());
    assertProgramsRun();
  }

  @Test
  void toldToEndItSaysForWhatItWaits() throws Exception {
    serve("--drain-timeout=" + Patience.LIMIT.toSeconds());
    endpoint();
    Process program = outboard.start("run", "--", Home.PROGRAMS.resolve("steady").toString());
    BufferedReader rounds =
        new BufferedReader(new InputStreamReader(program.getInputStream(), UTF_8));
    assertEquals("round", rounds.readLine());
    backend.destroy();
    // The check of 'outboard run' is a session too, which may not have left yet.
    Patience.until("the word", () -> WAITING.matcher(errors()).find());
    program.getOutputStream().close();
    Patience.exit(backend);
    assertEquals("ok", rounds.lines().reduce((_, last) -> last).orElse(""));
    assertTrue(errors().contains("the client said goodbye"), this::errors);
  }

  @Test
  void theTokenIsForTheUserAlone() throws Exception {
    serve("--listen", "tcp://127.0.0.1:0");
    Path token = outboard.runtime().resolve("outboard/token");
    outboard.set("OUTBOARD", endpoint());
    assertEquals(token.toString(), outboard.awaitLine(lines, "token in "));
    assertEquals("rw-------", mode(token));
    assertEquals("rwx------", mode(token.getParent()));
    assertTrue(Files.readString(token).matches("[0-9a-f]{64}\n"));
    assertProgramsRun();
  }

  /** Programs find it without being told, and its sessions have a folder, beside its socket. */
  @Test
  void besideTcpThereIsTheUsersSocket() throws Exception {
    serve("--listen", "tcp://127.0.0.1:0");
    assertTrue(endpoint().startsWith("tcp://"));
    assertEquals("unix:" + outboard.socket(), endpoint());
    assertProgramsRun();
    assertTrue(Files.isDirectory(Path.of(outboard.socket() + ".sessions")));
  }

  @Test
  void anotherBackendsSocketIsLeftToIt() throws Exception {
    serve();
    endpoint();
    Process first = backend;
    try {
      serve("--listen", "tcp://127.0.0.1:0");
      assertTrue(endpoint().startsWith("tcp://"));
      assertTrue(errors().contains("is another backend's"), this::errors);
      assertProgramsRun();
    } finally {
      first.destroyForcibly().waitFor();
    }
  }

  /** Both sides have one file, which says what both need. */
  @Test
  void aFileOfGvirtusNamesTheBackendsPlaceToo() throws Exception {
    Path file = home.resolve("gvirtus/etc/gvirtus.properties");
    Files.createDirectories(file.getParent());
    Path socket = home.resolve("named.sock");
    Files.writeString(file, "communicator : afunix://%s\nplugins : cudart, foo".formatted(socket));
    outboard.set("GVIRTUS_HOME", home.resolve("gvirtus").toString());
    serve();
    assertEquals("unix:" + socket, endpoint());
    assertTrue(errors().contains(file + " names the place: unix:" + socket), this::errors);
    assertTrue(errors().contains("no counterpart here: foo"), this::errors);
    assertProgramsRun();
  }

  @Test
  void onTcpAWrongTokenIsRefused() throws Exception {
    serve("--listen", "tcp://127.0.0.1:0");
    outboard.set("OUTBOARD", endpoint());
    outboard.set("OUTBOARD_TOKEN", "0".repeat(64));
    Program.Ended ended = outboard.run("run", "--", Home.VECTOR_ADD.toString());
    assertTrue(ended.status() != 0, ended::toString);
    assertTrue(ended.errors().contains("token"), ended::toString);
  }

  @Test
  void tcpBeyondLoopbackMustBeAskedFor() throws Exception {
    Program.Ended ended = outboard.run("serve", "--device=software", "--listen", "tcp://0.0.0.0:0");
    assertEquals(1, ended.status(), ended::toString);
    assertTrue(ended.errors().contains("--insecure-tcp"), ended::toString);
    serve("--insecure-tcp", "--listen=tcp://0.0.0.0:0");
    outboard.set("OUTBOARD", endpoint().replace("0.0.0.0", "127.0.0.1"));
    assertProgramsRun();
  }

  /** Nobody but guests comes in there, and this process is its own client first. */
  @Test
  void whereOnlyGuestsAreServedTheUserIsToo() throws Exception {
    Path path = outboard.runtime().resolve("v.sock");
    serve("--listen", "vsock-uds:" + path + ":14900");
    assertEquals("vsock-uds:" + path + ":14900", endpoint());
    assertEquals("unix:" + outboard.socket(), endpoint());
    assertProgramsRun();
  }

  @Test
  void aGroupIsOneOfThisMachineAndForUnixSockets() throws Exception {
    Program.Ended unknown = outboard.run("serve", "--device=software", "--socket-group=nonesuch");
    assertEquals(2, unknown.status(), unknown::toString);
    assertTrue(unknown.errors().contains("there is no group 'nonesuch'"), unknown::toString);
    serve();
    endpoint();
    Program.Ended tcp =
        outboard.run("serve", "--socket-group=daemon", "--listen", "tcp://127.0.0.1:0");
    assertEquals(2, tcp.status(), tcp::toString);
    assertTrue(tcp.errors().contains("is for a Unix socket"), tcp::toString);
  }

  @Test
  void whereThereIsNoGpuNvidiaFails() throws Exception {
    assumeFalse(Files.exists(Path.of("/dev/nvidiactl")), "this machine has an NVIDIA GPU");
    Program.Ended ended = outboard.run("serve", "--device=nvidia");
    assertEquals(1, ended.status(), ended::toString);
    assertTrue(ended.errors().contains("this backend has no NVIDIA GPU"), ended::toString);
    assertFalse(Files.exists(outboard.socket()), "the socket is left");
  }

  @Test
  void whatCannotBeServedIsWrongUsage() throws Exception {
    for (String wrong :
        new String[] {"--device=nvida", "--listen=gpu", "--workers=-1", "--listen=ssh://gpu"}) {
      Program.Ended ended = outboard.run("serve", wrong);
      assertEquals(2, ended.status(), () -> wrong + ": " + ended);
    }
  }

  @Test
  void optionsComeFromAFileTooAndCanBeCheckedBefore() throws Exception {
    Path file = home.resolve("serve.conf");
    Files.writeString(file, "listen = tcp://127.0.0.1:0\ndevice = nvidia\nlease-sessions = 3\n");
    Program.Ended checked = outboard.run("serve", "--check-config", "--config=" + file);
    assertEquals(new Program.Ended(0, "the options can be used\n", ""), checked);
    serve("--config", file.toString());
    assertTrue(endpoint().startsWith("tcp://"), "the file's place, and the device that is typed");
    Files.writeString(file, "listn = tcp://127.0.0.1:0\n");
    Program.Ended wrong = outboard.run("serve", "--config", file.toString());
    assertEquals(2, wrong.status(), wrong::toString);
    String told = file + ", line 1: there is no option 'listn' for a file; did you mean: listen?";
    assertTrue(wrong.errors().contains(told), wrong::toString);
    Files.writeString(file, "tls-cert = /none/such.pem\nlisten = tls://127.0.0.1:0\n");
    Program.Ended missing = outboard.run("serve", "--check-config", "--config", file.toString());
    assertEquals(1, missing.status(), missing::toString);
    assertTrue(missing.errors().contains("/none/such.pem: there is no"), missing::toString);
    Files.writeString(file, "listen = tcp://0.0.0.0:0\n");
    Program.Ended open = outboard.run("serve", "--check-config", "--config", file.toString());
    assertEquals(1, open.status(), open::toString);
    assertTrue(open.errors().contains("TCP is not encrypted"), open::toString);
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
