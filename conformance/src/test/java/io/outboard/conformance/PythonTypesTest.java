// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Python package's types, as mypy reads them in its strictest way. */
final class PythonTypesTest {
  private static final Path PACKAGES = Home.PATH.resolve("adapters/python");

  /** With what mypy has read already. */
  @TempDir private static Path home;

  @BeforeEach
  void wantMypy() throws Exception {
    assumeTrue(Program.isHere("mypy"), "mypy is not installed");
  }

  private Program.Ended mypy(String... words) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("mypy", "--cache-dir=" + home.resolve("cache"), "--strict"));
    command.addAll(List.of(words));
    return Program.run(command, Map.of("MYPYPATH", PACKAGES.toString()));
  }

  @Test
  void thePackageIsTyped() throws Exception {
    Program.Ended ended = mypy("--config-file=" + PACKAGES.resolve("mypy.ini"), "-p", "outboard");
    assertEquals(0, ended.status(), ended::toString);
    assertTrue(Files.exists(PACKAGES.resolve("outboard/py.typed")));
  }

  @Test
  void programsThatUseItAreChecked() throws Exception {
    Path right =
        Files.writeString(
            home.resolve("right.py"),
            """
            from typing import List
            import outboard

            free: List[float] = [device.free for device in outboard.devices()]
            with outboard.lease(gpus=1, memory="20GiB", wait=60) as lease:
                memory: int = lease.memory
            """);
    Program.Ended ended = mypy(right.toString());
    assertEquals(0, ended.status(), ended::toString);
    Path wrong =
        Files.writeString(
            home.resolve("wrong.py"),
            """
            import outboard

            outboard.lease(gpus="two")
            name: int = outboard.devices()[0].model
            """);
    Program.Ended refused = mypy(wrong.toString());
    assertEquals(1, refused.status(), refused::toString);
    assertTrue(refused.output().contains("Found 2 errors"), refused::toString);
  }
}
