// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The walk of the page about containers: what wants no engine in each build. */
final class ContainersWalkTest {
  private static final Path PAGE = Home.PATH.resolve("docs/containers.md");
  private static final String ENGINES = "### With engines\n";
  private static final String END = "### Its end\n";

  @TempDir private Path home;

  @Test
  void whatWantsNoEngineDoesWhatThePageSays() throws Exception {
    assumeTrue(BareRoot.isPermitted(), "this machine permits no user namespaces (unshare)");
    assumeTrue(Program.isHere("python3"), "no python3");
    String page = Files.readString(PAGE);
    String quick = page.substring(0, page.indexOf(ENGINES)) + page.substring(page.indexOf(END));
    Walk.type(Files.writeString(home.resolve("containers.md"), quick), home);
  }

  @Test
  @Tag("long")
  void thePageIsWalked() throws Exception {
    assumeTrue(Program.run(List.of("id", "-u"), Map.of()).output().equals("0\n"), "not root");
    for (String engine : List.of("dockerd", "podman")) {
      assumeTrue(Program.isHere(engine), engine + " is not installed");
    }
    try {
      Walk.type(PAGE, home);
    } finally {
      Path engines = home.resolve("containers-walk/engines");
      if (Files.exists(engines)) {
        String script = Home.PATH.resolve("conformance/engine/private").toString();
        Program.Ended ended = Program.run(List.of(script, "stop", engines.toString()), Map.of());
        assertTrue(ended.status() == 0, ended::toString);
      }
    }
  }
}
