// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code outboard run} where a backend serves already. */
final class RunTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  private static final String VECTOR_ADD = Home.VECTOR_ADD.toString();
  private static final String NOBODY = "unix:/nobody/there";

  @TempDir private Path home;
  private Launcher outboard;
  private String backend;

  @BeforeEach
  void makeHome() throws IOException {
    outboard = new Launcher(home);
    backend = "unix:" + BACKEND.socket();
  }

  private void assertRuns(String... options) throws IOException, InterruptedException {
    Program.Ended ended = outboard.run(options);
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), ended);
  }

  @Test
  void theOptionWinsOverTheVariable() throws Exception {
    outboard.set("OUTBOARD", NOBODY);
    assertRuns("run", "--on", backend, "--", VECTOR_ADD);
    assertRuns("run", "--on=" + backend, VECTOR_ADD);
  }

  @Test
  void theVariableWinsOverTheFile() throws Exception {
    configure(NOBODY);
    outboard.set("OUTBOARD", backend);
    assertRuns("run", "--", VECTOR_ADD);
  }

  @Test
  void theFileWinsOverTheUsersSocket() throws Exception {
    configure(NOBODY);
    outboard.set("XDG_RUNTIME_DIR", BACKEND.folder().toString());
    Program.Ended ended = outboard.run("run", "--", VECTOR_ADD);
    assertTrue(ended.errors().contains(NOBODY), ended::toString);
    configure(backend);
    assertRuns("run", "--", VECTOR_ADD);
  }

  @Test
  void theUsersSocketIsFound() throws Exception {
    outboard.set("XDG_RUNTIME_DIR", BACKEND.folder().toString());
    assertRuns("run", "--", VECTOR_ADD);
    assertEquals(new Program.Ended(0, "", ""), outboard.run("run", "--", "ls", temporary()));
  }

  @Test
  void aSocketWhoseBackendWasKilledIsPassedOver() throws Exception {
    Files.createDirectories(outboard.socket().getParent());
    try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      killed.bind(UnixDomainSocketAddress.of(outboard.socket()));
    }
    assertTrue(Files.exists(outboard.socket()), "the file stays");
    Program.Ended ended = outboard.run("run", "--", "printenv", "OUTBOARD");
    assertTrue(ended.output().startsWith("unix:" + temporary()), ended::toString);
  }

  @Test
  void aBackendThatIsNamedAndNotThereIsNotReplaced() throws Exception {
    Program.Ended ended = outboard.run("run", "--on", NOBODY, "--", VECTOR_ADD);
    assertEquals(126, ended.status(), ended::toString);
    assertEquals("", ended.output());
    assertTrue(
        ended
            .errors()
            .startsWith("outboard: cannot use the backend %s (from --on): ".formatted(NOBODY)),
        ended::toString);
  }

  @Test
  void verboseSaysWhichBackendItIs() throws Exception {
    Program.Ended ended = outboard.run("run", "--verbose", "--on", backend, "--", "true");
    assertEquals(
        new Program.Ended(0, "", "outboard: the backend is " + backend + " (from --on)\n"), ended);
  }

  /** As where a backend is about to start. */
  @Test
  void withoutTheCheckAProgramStartsThoughNobodyServesIt() throws Exception {
    assertEquals(126, outboard.run("run", "--on", NOBODY, "--", "true").status());
    Program.Ended ended = outboard.run("run", "--no-check", "--on", NOBODY, "--", "true");
    assertEquals(new Program.Ended(0, "", ""), ended);
  }

  /** The shell has a command of that name, and 'exec' would say so with a line number. */
  @Test
  void theShellsOwnWordsAreNotShown() throws Exception {
    outboard.set("OUTBOARD", backend);
    Program.Ended dot = outboard.run("run", "--", ".");
    assertEquals(
        new Program.Ended(127, "", "outboard: .: there is no such program on PATH\n"), dot);
    Path script = Path.of(temporary(), "script");
    Script.write(script, "#! /none/such -x\n");
    Program.Ended interpreted = outboard.run("run", "--", script.toString());
    assertEquals(126, interpreted.status(), interpreted::toString);
    assertEquals(
        "outboard: %s: its first line names the interpreter '/none/such', which is not there\n"
            .formatted(script),
        interpreted.errors());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run",
        "run --on",
        "run --device",
        "run --wrong true",
        "run --on unix:/there --device software true",
        "run --on http://there true",
      })
  void wrongUsageIs2(String line) throws Exception {
    Program.Ended ended = outboard.run(line.split(" "));
    assertEquals(2, ended.status(), ended::toString);
    assertEquals("", ended.output());
  }

  private String temporary() {
    return outboard.temporary().toString();
  }

  private void configure(String uri) throws IOException {
    Path folder = Files.createDirectories(home.resolve(".config/outboard"));
    Files.writeString(folder.resolve("outboard.properties"), "backend = " + uri + "\n");
  }
}
