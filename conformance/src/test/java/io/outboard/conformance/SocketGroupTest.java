// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.patience.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve --socket-group}: programs of other users, for a superuser who can start some. */
final class SocketGroupTest {
  private static final String GROUP = "daemon";
  private static final String USER = "nobody";

  @TempDir private Path home;
  @TempDir private Path place;
  private Launcher outboard;
  private String endpoint;
  private Process backend;

  @BeforeAll
  static void assumePossible() throws Exception {
    assumeTrue(
        asUser(GROUP, "", "test", "-x", Home.VECTOR_ADD.toString()).status() == 0,
        "no programs of other users: this is no superuser, or they cannot read these");
  }

  @BeforeEach
  void serve() throws Exception {
    Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwx--x--x"));
    endpoint = "unix:" + place.resolve("outboard/socket");
    outboard = new Launcher(home);
    outboard.set("OUTBOARD", endpoint);
    backend =
        outboard.start(
            "serve",
            "--device=software:a100*2",
            "--listen=" + endpoint,
            "--socket-group=" + GROUP,
            "--state=" + home.resolve("state"));
    String line = String.valueOf(backend.inputReader().readLine());
    assertTrue(line.endsWith(endpoint), line + outboard.errors());
  }

  @AfterEach
  void end() throws Exception {
    if (backend != null) {
      backend.destroy();
      backend.waitFor();
    }
  }

  private static Program.Ended asUser(String group, String on, String... command) throws Exception {
    List<String> words =
        List.of("setpriv", "--reuid=" + USER, "--regid=nogroup", "--groups=" + group);
    return Program.run(
        Stream.concat(words.stream(), Stream.of(command)).toList(),
        Map.of("OUTBOARD", on, "LD_LIBRARY_PATH", Home.LIBRARIES.toString()));
  }

  @Test
  void aMemberNeedsNoTokenAndIsInTheLedger() throws Exception {
    assertEquals(0, outboard.run("lease", "--for=1m").status());
    Program.Ended ended = asUser(GROUP, endpoint, Home.VECTOR_ADD.toString());
    assertEquals(0, ended.status(), ended::toString);
    Patience.until(
        "a row of that user",
        () -> outboard.run("usage", "--format=csv").output().contains("," + USER + ","));
  }

  @Test
  void othersAreKeptOut() throws Exception {
    Program.Ended ended = asUser("nogroup", endpoint, Home.VECTOR_ADD.toString());
    assertNotEquals(0, ended.status(), ended::toString);
    assertTrue(ended.errors().contains("Permission denied"), ended::toString);
  }
}
