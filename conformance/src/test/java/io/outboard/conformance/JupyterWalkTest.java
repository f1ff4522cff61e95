// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The walk of the page about Python: with programs alone, and with notebooks where Jupyter is. */
final class JupyterWalkTest {
  private static final Path PAGE = Home.PATH.resolve("docs/jupyter.md");
  private static final String NOTEBOOKS = "### With notebooks\n";
  private static final String END = "### Its end\n";

  /** Debian's Jupyter is for Debian's Python, which need not be the first one of the path. */
  private static final Path PYTHON = Path.of("/usr/bin/python3");

  @TempDir private Path home;

  @BeforeEach
  void makeWheel() throws Exception {
    assumeTrue(Program.isHere("python3"), "no python3");
    Path unused = Tarballs.wheel("1.2", Files.createDirectories(home.resolve("target/dist")));
  }

  @Test
  void whatWantsNoJupyterDoesWhatThePageSays() throws Exception {
    String page = Files.readString(PAGE);
    String programs =
        page.substring(0, page.indexOf(NOTEBOOKS)) + page.substring(page.indexOf(END));
    Walk.type(Files.writeString(home.resolve("jupyter.md"), programs), home);
  }

  @Test
  void thePageIsWalked() throws Exception {
    String packages = "import ipykernel, jupyter_client, jupyter_server";
    assumeTrue(
        Files.exists(PYTHON)
            && Program.run(List.of(PYTHON.toString(), "-c", packages), Map.of()).status() == 0,
        "Jupyter is not installed");
    // The page's first line has this folder first.
    Files.createSymbolicLink(home.resolve("python3"), PYTHON);
    Walk.type(PAGE, home);
  }
}
