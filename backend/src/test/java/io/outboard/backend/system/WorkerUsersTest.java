// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.communicator.posix.Processes;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerUsersTest {
  @Test
  void eachIsTakenOnce() throws IOException {
    WorkerUsers users = WorkerUsers.parse("60000-60001");
    assertEquals(60_000, users.take());
    assertEquals(60_001, users.take());
    IOException none = assertThrows(IOException.class, users::take);
    assertTrue(none.getMessage().contains("60000-60001"), none::getMessage);
    users.free(60_000);
    assertEquals(60_000, users.take());
  }

  /** A program that a client had its worker start may outlive the worker. */
  @Test
  void whatAUserLeavesRunningEndsWithIt() throws IOException, InterruptedException {
    assumeTrue(Processes.getuid() == 0, "the superuser alone becomes others");
    Process left = new ProcessBuilder("setpriv", "--reuid=60210", "sleep", "600").start();
    try {
      await(left, 60_210);
      WorkerUsers users = WorkerUsers.parse("60210");
      assertEquals(60_210, users.take());
      users.free(60_210);
      Patience.exit(left);
      assertEquals(60_210, users.take());
    } finally {
      left.destroyForcibly();
    }
  }

  private static void await(Process process, int user) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    while (!Files.readString(status).contains("Uid:\t" + user)) {
      Pause.ms(1);
    }
  }

  @Test
  void oneIsARangeToo() {
    WorkerUsers users = WorkerUsers.parse("7");
    assertTrue(users.contains(7));
    assertFalse(users.contains(8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nobody", "0-10", "-5", "9-8", "1-", "1-2-3", "1-99999999999"})
  void whatIsNoRangeIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> WorkerUsers.parse(text));
  }
}
