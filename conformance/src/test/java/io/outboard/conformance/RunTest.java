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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  /** A program of which status 7 is seen. */
  private Path program(String name, String... options) throws Exception {
    Path source = home.resolve(name + ".c");
    Files.writeString(source, "int main(void) { return 7; }\n");
    Path program = home.resolve(name);
    List<String> arguments = new ArrayList<>(List.of("-o", program.toString(), source.toString()));
    arguments.addAll(List.of(options));
    Gcc.compile(arguments);
    return program;
  }

  /** It is what doctor says too, and the program goes on. */
  private void isSaid(Path program, String why) throws Exception {
    isSaid(7, program, why);
  }

  private void isSaid(int status, Path program, String why) throws Exception {
    Program.Ended ended = outboard.run("run", "--on", backend, "--", program.toString());
    assertEquals(status, ended.status(), ended::toString);
    List<String> said = ended.errors().lines().toList();
    assertEquals(1, said.size(), ended::toString);
    assertTrue(said.getFirst().contains(why), ended::toString);
    Program.Ended doctor = outboard.run("doctor", "--on", backend, program.toString());
    String line = said.getFirst().replaceFirst("^outboard: ", "FAIL  ");
    assertTrue(doctor.output().lines().toList().contains(line), line + "\n" + doctor);
  }

  @Test
  void aProgramThatWouldSeeNoGpuIsSaidSo() throws Exception {
    isSaid(program("static", "-static"), "is linked statically");
    Path setId = program("set-id");
    Program.Ended changed = Program.run(List.of("chmod", "u+s", setId.toString()), Map.of());
    assertEquals(0, changed.status(), changed::toString);
    isSaid(setId, "(set-id)");
    Path drivers = Files.createDirectory(home.resolve("drivers"));
    Files.copy(Home.LIBRARIES.resolve("libcuda.so.1"), drivers.resolve("libcuda.so.1"));
    String[] options = {
      "-Wl,--no-as-needed,--disable-new-dtags,--allow-shlib-undefined,-rpath,$ORIGIN/drivers",
      "-L" + drivers,
      "-l:libcuda.so.1"
    };
    isSaid(program("rpath", options), "it was linked with an RPATH");
  }

  /** Its linker would end it in words about a file of glibc's. */
  @Test
  void aProgramOfMuslIsNotStarted() throws Exception {
    Path program = program("musl", "-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1");
    isSaid(126, program, "uses musl; Outboard's libraries, as NVIDIA's, need glibc");
  }

  @Test
  void aProgramThatWouldSeeAGpuIsNoWordWorth() throws Exception {
    outboard.set("OUTBOARD_QUIET", "1");
    Path quiet = program("static", "-static");
    assertEquals(
        new Program.Ended(7, "", ""), outboard.run("run", "--on", backend, quiet.toString()));
    outboard.set("OUTBOARD_QUIET", "");
    assertEquals(
        new Program.Ended(7, "", ""),
        outboard.run("run", "--on", backend, program("usual", "-Wl,-rpath,/").toString()));
  }

  @Test
  void doctorLooksAsTheShellWould() throws Exception {
    Path drivers = Files.createDirectory(home.resolve("drivers"));
    Files.copy(Home.LIBRARIES.resolve("libcuda.so.1"), drivers.resolve("libcuda.so.1"));
    String doctor = "outboard doctor --on %s %s".formatted(backend, VECTOR_ADD);
    Program.Ended first = outboard.shell("LD_LIBRARY_PATH=%s %s".formatted(drivers, doctor));
    assertEquals(0, first.status(), "'run' puts its own first: " + first);
    Program.Ended shell =
        outboard.shell(
            "eval \"$(outboard env --on %s)\"; LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH %s"
                .formatted(backend, drivers, doctor));
    assertEquals(1, shell.status(), shell::toString);
    assertTrue(shell.output().contains("comes first in LD_LIBRARY_PATH"), shell::toString);
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
