// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.StandIn;
import io.outboard.backend.supervision.Suspensions;
import io.outboard.backend.suspend.CheckpointHelper.Order;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver's checkpoints, with a library in the driver's place that writes its calls down. */
class CheckpointSuspensionTest {
  private static final String FUNCTIONS =
      """
      static int state;
      static int fails(const char *name) {
        const char *failing = getenv("FAILING");
        return failing && strcmp(failing, name) == 0;
      }
      static int note(const char *name, int process, unsigned value) {
        FILE *calls = fopen(getenv("CALLS"), "a");
        fprintf(calls, "%s %d %u\\n", name, process, value);
        fclose(calls);
        return fails(name) ? 600 : 0;
      }
      static int go(const char *name, int process, unsigned value, int from, int to) {
        int result = state != from ? 401 : note(name, process, value);
        state = result == 0 ? to : state;
        return result;
      }
      int cuInit(unsigned flags) { return note("init", 0, flags); }
      int cuCheckpointProcessGetState(int process, int *found) { *found = state; return fails("state") ? 1 : 0; }
      int cuCheckpointProcessLock(int process, unsigned *arguments) {
        for (int i = 1; i < 16; i++)
          if (arguments[i] != 0) return 1;
        return go("lock", process, arguments[0], 0, 1);
      }
      int cuCheckpointProcessCheckpoint(int process, void *arguments) { return go("checkpoint", process, 0, 1, 2); }
      int cuDriverGetVersion(int *version) { *version = fails("old") ? 12090 : 13000; return 0; }
      int cuDeviceGetCount(int *count) { *count = 3; return 0; }
      int cuDeviceGetUuid_v2(unsigned char *uuid, int device) { memset(uuid, device, 16); return 0; }
      struct restore { unsigned char (*pairs)[2][16]; unsigned count, rest[13]; };
      /* Where GPUs 0, 1 and 2 go, as decimal digits. */
      static unsigned places(const struct restore *arguments) {
        unsigned digits = 0;
        for (unsigned i = 0; arguments != NULL && i < arguments->count; i++)
          digits = arguments->pairs[i][0][15] == i ? 10 * digits + arguments->pairs[i][1][15] : 999;
        return digits;
      }
      int cuCheckpointProcessRestore(int process, void *arguments) { return go("restore", process, places(arguments), 2, 1); }
      int cuCheckpointProcessUnlock(int process, void *arguments) { return go("unlock", process, 0, 1, 0); }
      """;

  @TempDir private Path folder;
  private StandIn standIn;
  private Checkpoints checkpoints;
  private Process started;
  private boolean shown;

  @BeforeEach
  void open() {
    standIn = new StandIn(folder);
  }

  @AfterEach
  void close() {
    if (checkpoints != null) {
      checkpoints.close();
    }
  }

  private void driver(String functions, String failing) throws Exception {
    String headers = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";
    standIn.library("libcuda.so.1", headers + functions);
    checkpoints = new Checkpoints(() -> start(failing));
  }

  private Process start(String failing) throws IOException {
    ProcessBuilder builder = standIn.process(CheckpointHelper.class);
    builder.environment().put("CALLS", standIn.file("calls"));
    builder.environment().put("FAILING", failing);
    started = builder.start();
    return started;
  }

  private CheckpointSuspension suspension() {
    return new CheckpointSuspension(checkpoints, () -> shown = true, 4711, Duration.ofSeconds(3));
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(folder.resolve("calls"));
  }

  @Test
  void aProcessIsSuspendedAndResumed() throws Exception {
    driver(FUNCTIONS, "");
    CheckpointSuspension suspension = suspension();
    suspension.putAside();
    assertEquals(List.of("init 0 0", "lock 4711 3000", "checkpoint 4711 0"), calls());
    suspension.bringBack(List.of());
    assertEquals(List.of("restore 4711 0", "unlock 4711 0"), calls().subList(3, 5));
    suspension.putAside();
    suspension.bringBack(List.of());
    assertEquals(9, calls().size(), "the driver is initialised once");
  }

  @Test
  void whatIsStillAtWorkIsNotSuspended() throws Exception {
    driver(FUNCTIONS, "lock");
    SuspensionException e = assertThrows(SuspensionException.class, suspension()::putAside);
    assertTrue(e.getMessage().contains("LOCK: CUDA_ERROR_NOT_READY"), e::getMessage);
    assertEquals(List.of("init 0 0", "lock 4711 3000"), calls());
    assertFalse(shown, "that would change nothing");
  }

  @Test
  void aCheckpointThatFailsLetsTheProcessGoOn() throws Exception {
    driver(FUNCTIONS, "checkpoint");
    assertThrows(SuspensionException.class, suspension()::putAside);
    assertTrue(shown);
    String once = "lock 4711 3000, checkpoint 4711 0, unlock 4711 0";
    assertEquals("init 0 0, " + once + ", " + once, String.join(", ", calls()));
    assertEquals(
        ProcessCheckpoints.RUNNING, checkpoints.order(Order.STATE, 4711, 0), "it is not locked");
  }

  @Test
  void aRestoreThatFailsCanBeTriedAgain() throws Exception {
    driver(FUNCTIONS, "restore");
    CheckpointSuspension suspension = suspension();
    suspension.putAside();
    assertThrows(SuspensionException.class, () -> suspension.bringBack(List.of()));
    assertThrows(SuspensionException.class, () -> suspension.bringBack(List.of()));
    assertEquals(List.of("restore 4711 0", "restore 4711 0"), calls().subList(3, 5));
  }

  private static DeviceMove move(int from, int to) {
    return new DeviceMove(uuid(from), uuid(to));
  }

  private static String uuid(int gpu) {
    return "GPU-%1$s%1$s%1$s%1$s-%1$s%1$s-%1$s%1$s-%1$s%1$s-%1$s%1$s%1$s%1$s%1$s%1$s"
        .formatted("0" + gpu);
  }

  @Test
  void whatMovesChangesPlacesWithWhatItMovesTo() throws Exception {
    driver(FUNCTIONS, "");
    CheckpointSuspension suspension = suspension();
    assertTrue(suspension.canMove());
    suspension.putAside();
    suspension.bringBack(List.of(move(0, 2)));
    assertEquals("restore 4711 210", calls().get(3));
    suspension.putAside();
    SuspensionException e =
        assertThrows(SuspensionException.class, () -> suspension.bringBack(List.of(move(0, 3))));
    assertTrue(e.getMessage().contains("CUDA_ERROR_INVALID_DEVICE"), e::getMessage);
    suspension.bringBack(List.of(move(1, 2)));
    assertEquals("restore 4711 21", calls().get(7));
  }

  @Test
  void aDriverThatWouldNotHeedThePlacesIsNotAsked() throws Exception {
    driver(FUNCTIONS, "old");
    CheckpointSuspension suspension = suspension();
    assertFalse(suspension.canMove());
    suspension.putAside();
    assertThrows(SuspensionException.class, () -> suspension.bringBack(List.of(move(0, 2))));
    assertEquals(3, calls().size());
    suspension.bringBack(List.of());
  }

  @Test
  void clientsOfMpsAreNotSuspended() {
    checkpoints = new Checkpoints(() -> start(""));
    Suspensions means = new Suspensions(checkpoints, 0, true);
    SuspensionException e =
        assertThrows(
            SuspensionException.class, () -> means.ofDriver(null, 4711, Duration.ofSeconds(3)));
    assertTrue(e.getMessage().contains("MPS"), e::getMessage);
  }

  @Test
  void anOldDriverIsRefused() throws Exception {
    driver("int cuInit(unsigned flags) { return 0; }\n", "");
    SuspensionException e = assertThrows(SuspensionException.class, suspension()::putAside);
    assertTrue(e.getMessage().contains("older than version 570"), e::getMessage);
  }

  @Test
  void aHelperThatIsKilledIsStartedAgain() throws Exception {
    driver(FUNCTIONS, "");
    assertEquals(0, checkpoints.order(Order.STATE, 4711, 0));
    started.destroyForcibly().waitFor();
    assertEquals(0, checkpoints.order(Order.STATE, 4711, 0));
  }
}
