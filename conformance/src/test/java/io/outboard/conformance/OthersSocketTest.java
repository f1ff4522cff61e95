// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine whose backend is there for others: users that would have used it are told so. */
final class OthersSocketTest {
  // The superuser of a namespace, too, without the right to pass where he may not.
  private static final String SHELL =
      """
      mount -t tmpfs tmpfs /run
      mkdir -m 0 /run/outboard
      exec setpriv --inh-caps=-all --bounding-set=-dac_override,-dac_read_search sh -c "$0"
      """;

  private static final String WHOSE = "/run/outboard/outboard.sock is not for this user";

  @TempDir private Path home;
  private Launcher outboard;

  @BeforeAll
  static void assumePossible() throws Exception {
    assumeTrue(BareRoot.isPermitted(), "this machine permits no user namespaces (unshare)");
  }

  @BeforeEach
  void makeHome() throws Exception {
    outboard = new Launcher(home);
  }

  private Program.Ended there(String line) throws Exception {
    Path script = Files.writeString(home.resolve("line"), line);
    return outboard.shell("unshare -rm sh -ec '%s' '. %s'".formatted(SHELL, script));
  }

  @Test
  void whoLooksForABackendHearsThatThereIsOne() throws Exception {
    assertEquals(new Program.Ended(3, "", ""), there(Home.TOOLS.resolve("outboard-where") + ""));
  }

  @Test
  void aProgramsOwnBackendIsSaidToBeOne() throws Exception {
    Program.Ended ended = there("outboard run -- " + Home.VECTOR_ADD);
    assertEquals(Home.VECTOR_ADD_PASSED, ended.output(), ended::toString);
    List<String> lines =
        ended.errors().lines().filter(line -> line.contains("/run/outboard")).toList();
    assertEquals(
        List.of(
            "outboard: "
                + WHOSE
                + ": ask its operator for a lease and a URI, or to be in the socket's group;"
                + " this program gets a backend of its own"),
        lines);
  }

  @Test
  void whoWantsABackendOfItsOwnIsToldNothing() throws Exception {
    Program.Ended ended = there("outboard run --device software -- " + Home.VECTOR_ADD);
    assertEquals(new Program.Ended(0, Home.VECTOR_ADD_PASSED, ""), ended);
  }

  /** As after {@code su} in a folder of root's. */
  @Test
  void aWorkingFolderThatCannotBeLookedIntoNamesNoBackend() throws Exception {
    Program.Ended ended = there("mkdir /run/closed; cd /run/closed; chmod 0 .; outboard doctor");
    assertTrue(ended.output().contains("no backend found"), ended::toString);
  }

  @Test
  void commandsSayItToo() throws Exception {
    assertTrue(
        there("outboard devices").errors().startsWith("outboard: no backend found: " + WHOSE));
    assertTrue(there("outboard doctor").output().contains("no backend found: " + WHOSE));
  }
}
