// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeeperTest {
  private static final long SECONDS = 30;

  @TempDir Path folder;
  private Process keeper;

  @AfterEach
  void stop() {
    if (keeper != null) {
      keeper.destroyForcibly();
    }
  }

  /** A driver that does nothing but say that it was initialised. */
  private void driver(int result) throws Exception {
    Path source = folder.resolve("driver.c");
    Files.writeString(
        source,
        "#include <fcntl.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
            + "int cuInit(unsigned flags) { close(creat(getenv(\"INITIALISED\"), 0600)); return "
            + result
            + "; }\n");
    run("gcc", "-shared", "-fPIC", "-o", file("libcuda.so.1"), source.toString());
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private static void run(String... command) throws Exception {
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
  }

  private void keep() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Keeper.class.getName());
    builder.environment().put("LD_LIBRARY_PATH", folder.toString());
    builder.environment().put("INITIALISED", file("initialised"));
    builder.redirectErrorStream(true).redirectOutput(new File(file("said")));
    keeper = builder.start();
  }

  private boolean isInitialised() {
    return Files.exists(folder.resolve("initialised"));
  }

  @Test
  void theDriverStaysInitialised() throws Exception {
    driver(0);
    keep();
    long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    while (!isInitialised() && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertTrue(isInitialised(), () -> said());
    assertFalse(keeper.waitFor(300, TimeUnit.MILLISECONDS), () -> said());
  }

  private String said() {
    try {
      return Files.readString(folder.resolve("said"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void aDriverThatCannotBeUsedIsNobodysConcern() throws Exception {
    driver(100);
    keep();
    assertTrue(keeper.waitFor(SECONDS, TimeUnit.SECONDS));
    assertTrue(isInitialised());
    assertEquals(0, keeper.exitValue());
    assertEquals(List.of(), Files.readAllLines(folder.resolve("said")));
  }

  @Test
  void itIsForRealGpusOnly() throws IOException {
    Files.createFile(folder.resolve("nvidiactl"));
    assertFalse(Keeper.hasDevice(folder));
    assertFalse(Keeper.hasDevice(folder.resolve("nowhere")));
    Files.createFile(folder.resolve("nvidia12"));
    assertTrue(Keeper.hasDevice(folder));
    assertFalse(Keeper.isUseful("software:a100*2"));
    assertFalse(Keeper.isUseful("opencl"));
  }
}
