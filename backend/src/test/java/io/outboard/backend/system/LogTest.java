// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.StandIn;
import io.outboard.communicator.posix.Posix;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogTest {
  private static final String FEW = "ulimit -n 64; exec \"$0\" \"$@\"";

  @TempDir private Path folder;

  /** A process that writes its first line when it can open no file. */
  static final class WithoutDescriptors {
    private WithoutDescriptors() {}

    public static void main(String[] arguments) {
      Log.prepare();
      int taken;
      do {
        taken = Posix.fcntl(2, Posix.F_DUPFD_CLOEXEC, 0);
      } while (taken >= 0);
      Log.warn("the first line");
    }
  }

  @Test
  void theFirstLineNeedsNoDescriptor() throws Exception {
    ProcessBuilder process = new StandIn(folder).process(WithoutDescriptors.class);
    process.command().addAll(0, List.of("sh", "-c", FEW));
    Process started = process.redirectErrorStream(true).start();
    String said = new String(started.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, started.waitFor(), said);
    assertTrue(said.endsWith("the first line\n"), said);
  }
}
