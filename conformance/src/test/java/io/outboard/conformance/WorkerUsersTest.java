// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code outboard serve --worker-users}: workers are kept from each other, and from other programs.
 */
final class WorkerUsersTest {
  private static final int FIRST = 60_100;
  private static final int LAST = 60_109;

  @TempDir private Path home;
  private Launcher outboard;
  private Process backend;

  @BeforeEach
  void serve() throws Exception {
    outboard = new Launcher(home);
    assumeTrue(ProcessHandle.current().info().user().orElse("").equals("root"), "needs root");
    assumeTrue(canRead(FIRST, Home.VECTOR_ADD), "other users cannot read this folder");
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx--x--x"));
    backend =
        outboard.start(
            "serve",
            "--device=software",
            "--workers=2",
            "--worker-users=" + FIRST + "-" + LAST,
            "--image-cache=" + images(),
            "--compute-cache=" + compiled());
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(backend.getInputStream(), UTF_8));
    assertTrue(lines.readLine().startsWith("serving"));
  }

  @AfterEach
  void end() throws InterruptedException {
    if (backend != null) {
      backend.destroyForcibly().waitFor();
    }
  }

  private Path images() {
    return home.resolve("images");
  }

  private Path compiled() {
    return home.resolve("compiled");
  }

  private static boolean canRead(int user, Path file) throws Exception {
    return as(user, "head", "-c", "1", file.toString()) == 0;
  }

  /** The exit status of a command of another user. */
  private static int as(int user, String... command) throws Exception {
    List<String> whole =
        new ArrayList<>(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"));
    whole.addAll(List.of(command));
    Process process =
        new ProcessBuilder(whole)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Patience.exit(process);
    return process.exitValue();
  }

  /** Those that have become the users that they are to be. */
  private List<Long> workers() {
    return backend.children().map(ProcessHandle::pid).filter(pid -> user(pid) >= FIRST).toList();
  }

  private static int user(long process) {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(process), "status")).stream()
          .filter(line -> line.startsWith("Uid:"))
          .map(line -> Integer.parseInt(line.split("\\s+", -1)[1]))
          .findFirst()
          .orElse(0);
    } catch (IOException ended) {
      return 0;
    }
  }

  @Test
  void eachWorkerIsAUserOfItsOwnWhomNobodyElseCanLookAt() throws Exception {
    Patience.until("two workers", () -> workers().size() == 2);
    List<Long> workers = workers();
    int one = user(workers.get(0));
    int other = user(workers.get(1));
    assertNotEquals(one, other);
    assertTrue(Math.max(one, other) <= LAST);
    for (long worker : workers) {
      Path secrets = Path.of("/proc", Long.toString(worker), "environ");
      assertTrue(!canRead(one, secrets) && !canRead(other, secrets), "a worker can be looked at");
    }
  }

  @Test
  void programsRun() throws Exception {
    Program.Ended ended = outboard.run("run", "--", Home.VECTOR_ADD.toString());
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), ended);
  }

  /** The records of a session are its worker's, whoever that is. */
  @Test
  void profilersSeeTheDevice() throws Exception {
    String program = Home.PROGRAMS.resolve("profiler").toString();
    Program.Ended ended = outboard.run("run", "--", program, "records", "graphs", "waits");
    assertEquals(new Program.Ended(0, "ok\nok\nok\n", ""), ended);
  }

  /** A tenant that knows an image's digest opens the image; nobody lists images. */
  @Test
  void imagesAreSharedByThoseWhoKnowTheirDigest() throws Exception {
    outboard.set("OUTBOARD_IMAGES", "1");
    outboard.set("OUTBOARD_REPORT", "1");
    assertEquals("2", callsWithAnImage());
    assertEquals("1", callsWithAnImage());
    try (Stream<Path> kept = Files.list(images())) {
      Path image = kept.findFirst().orElseThrow();
      assertTrue(canRead(LAST, image));
      assertTrue(as(LAST, "ls", images().toString()) != 0, "another user can list the images");
      assertTrue(as(LAST, "rm", "-f", image.toString()) != 0, "another user can remove an image");
    }
  }

  /** What NVIDIA's driver keeps for a worker is nobody else's to write, or to read. */
  @Test
  void theDriverHasAFolderForEachUserThatServed() throws Exception {
    assertEquals(0, outboard.run("run", "--", Home.VECTOR_ADD.toString()).status());
    try (Stream<Path> folders = Files.list(compiled())) {
      Path folder = folders.filter(Files::isDirectory).findFirst().orElseThrow();
      int user = (int) Files.getAttribute(folder, "unix:uid");
      assertEquals(folder.getFileName().toString(), Integer.toString(user));
      int other = user == FIRST ? LAST : FIRST;
      assertEquals(0, as(user, "touch", folder.resolve("code").toString()));
      assertTrue(as(other, "ls", folder.toString()) != 0, "another worker can read it");
      assertTrue(as(other, "touch", folder.resolve("poison").toString()) != 0);
      assertTrue(as(user, "mkdir", compiled().resolve(Integer.toString(other)).toString()) != 0);
    }
  }

  private String callsWithAnImage() throws Exception {
    Program.Ended ended = outboard.run("run", "--", Home.VECTOR_ADD.toString());
    assertEquals(0, ended.status(), ended::toString);
    return ended
        .errors()
        .lines()
        .filter(line -> line.startsWith("outboardModuleContent "))
        .map(line -> line.split(" +", -1)[1])
        .findFirst()
        .orElseThrow();
  }
}
