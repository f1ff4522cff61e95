// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link Script}: each starts, however many programs other threads start meanwhile. */
final class ScriptTest {
  private static final int SCRIPTS = 200;

  @TempDir private Path folder;

  @Test
  void isNeverBusy() throws Exception {
    AtomicBoolean written = new AtomicBoolean();
    Thread other = Thread.ofPlatform().start(() -> startPrograms(written));
    try {
      for (int i = 0; i < SCRIPTS; i++) {
        Path script = folder.resolve("script" + i);
        Script.write(script, "#!/bin/sh\necho here\n");
        Program.Ended ended = Program.run(List.of(script.toString()), Map.of());
        assertEquals("here\n", ended.output(), ended::toString);
      }
    } finally {
      written.set(true);
      other.join();
    }
  }

  private static void startPrograms(AtomicBoolean end) {
    try {
      while (!end.get()) {
        new ProcessBuilder("true").start().waitFor();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
