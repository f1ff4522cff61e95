// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.StandIn;
import io.outboard.patience.KernelThread;
import io.outboard.patience.Patience;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverKeepAliveTest {
  @TempDir Path folder;
  private StandIn standIn;
  private Process keeper;

  @BeforeEach
  void open() {
    standIn = new StandIn(folder);
  }

  @AfterEach
  void stop() {
    if (keeper != null) {
      keeper.destroyForcibly();
    }
  }

  /** A driver that does nothing but say that it was initialised. */
  private void driver(int result) throws Exception {
    standIn.library(
        "libcuda.so.1",
        "#include <fcntl.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
            + "int cuInit(unsigned flags) { close(creat(getenv(\"INITIALISED\"), 0600)); return "
            + result
            + "; }\n");
  }

  private void keep() throws IOException {
    ProcessBuilder builder = standIn.process(DriverKeepAlive.class);
    builder.environment().put("INITIALISED", standIn.file("initialised"));
    builder.redirectErrorStream(true).redirectOutput(new File(standIn.file("said")));
    keeper = builder.start();
  }

  private boolean isInitialised() {
    return Files.exists(folder.resolve("initialised"));
  }

  @Test
  void theDriverStaysInitialised() throws Exception {
    driver(0);
    keep();
    Patience.until(this::said, this::isInitialised);
    KernelThread.main(keeper).untilSleeps();
    assertTrue(keeper.isAlive(), () -> said());
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
    assertEquals(0, Patience.exit(keeper));
    assertTrue(isInitialised());
    assertEquals(List.of(), Files.readAllLines(folder.resolve("said")));
  }

  @Test
  void itIsForRealGpusOnly() throws IOException {
    Files.createFile(folder.resolve("nvidiactl"));
    assertFalse(DriverKeepAlive.hasDevice(folder));
    assertFalse(DriverKeepAlive.hasDevice(folder.resolve("nowhere")));
    Files.createFile(folder.resolve("nvidia12"));
    assertTrue(DriverKeepAlive.hasDevice(folder));
    assertFalse(DriverKeepAlive.isUseful("software:a100*2"));
    assertFalse(DriverKeepAlive.isUseful("opencl"));
  }
}
