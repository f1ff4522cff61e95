// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Form;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Workers on leases, which the command asks for and gives back. */
final class OffloadWorkersTest {
  private static final Path QUEENS = Home.PATH.resolve("examples/offload/src/main/java/queens");
  private static final Path FOLDER;
  private static final OffloadedJar JAR;

  static {
    try {
      FOLDER = Folders.make("outboard-offload-workers");
      JAR = OffloadedJar.of(QUEENS, FOLDER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @RegisterExtension
  static final Backend BACKEND =
      new Backend("software", "--offload=" + settings()).withFolder(FOLDER);

  @TempDir private Path home;

  private static Path settings() {
    try {
      return Files.writeString(
          FOLDER.resolve("offload.conf"), "jars jars\nmemory 256\ntenant alice " + JAR.digest());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Program.Ended run(String line) throws Exception {
    Launcher outboard = new Launcher(home);
    outboard.set("OUTBOARD_TOKEN", BACKEND.token());
    return outboard.shell("outboard offload workers --on " + BACKEND.tcp() + " " + line);
  }

  private static List<String> states() throws IOException {
    return new Leases(BACKEND)
        .ask("leases", new Form().with("all", "yes")).stream()
            .filter(lease -> lease.get("tenant").equals("alice"))
            .map(lease -> lease.get("state"))
            .toList();
  }

  @Test
  void aSplitCallRunsOnLeasesAndTheyAreGivenBack() throws Exception {
    String program =
        "%s -cp %s:%s queens.Pooled %3$s 10"
            .formatted(Home.java(), OffloadedJar.path(OffloadedJar.CLIENT), JAR.file());
    Program.Ended ended = run("--leases 2 --share 0.01 --tenant alice -- " + program);
    assertEquals("10 queens: 724 ways, by 2 workers\n", ended.output(), ended::toString);
    // The command's own end comes behind that of the program.
    Patience.until("they are given back", () -> states().equals(List.of("released", "released")));
  }

  @Test
  void aPlaceThatNoProgramOnAnotherMachineReachesIsRefused() throws Exception {
    Launcher outboard = new Launcher(home);
    Program.Ended ended =
        outboard.shell(
            "outboard offload workers --on unix:%s --leases 1 --share 0.01 --tenant alice -- true"
                .formatted(BACKEND.socket()));
    assertEquals(1, ended.status(), ended::toString);
    assertTrue(ended.errors().contains("by tcp:// or tls://"), ended::toString);
  }
}
