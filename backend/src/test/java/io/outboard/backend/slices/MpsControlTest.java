// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.StandIn;
import io.outboard.backend.system.Pause;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The control daemon of MPS, with a script in its place that writes down how it is called. */
public class MpsControlTest {
  private static final Duration PATIENCE = Patience.LIMIT;

  private static final String SCRIPT =
      """
      #!/bin/sh
      if [ "$1" != -d ]; then
        set -- "$(cat)"
      elif [ -n "$FAILING" ]; then
        echo "Cannot find any GPU"
        [ "$FAILING" = late ] && sleep 100
        exit 1
      fi
      echo "$1 $CUDA_MPS_PIPE_DIRECTORY $CUDA_MPS_LOG_DIRECTORY" >> "$CALLS"
      """;

  @TempDir private Path folder;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  public void install() throws IOException {
    install(folder);
    environment.put("PATH", folder + ":" + System.getenv("PATH"));
    environment.put("XDG_RUNTIME_DIR", folder.toString());
    environment.put("CALLS", folder.resolve("calls").toString());
  }

  /** Has the script be in a folder. */
  public static void install(Path folder) throws IOException {
    Path program = Files.writeString(folder.resolve("nvidia-cuda-mps-control"), SCRIPT);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(folder.resolve("calls"));
  }

  private List<Path> left() throws IOException {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().startsWith("outboard")).toList();
    }
  }

  private static String call(String what, Path own) {
    return "%s %s %s".formatted(what, own.resolve("pipe"), own.resolve("log"));
  }

  @Test
  void itIsStartedInFoldersOfItsOwnAndToldToQuit() throws IOException {
    MpsControl control = MpsControl.start(environment, PATIENCE);
    Path own = left().getFirst();
    assertEquals(List.of(call("-d", own)), calls());
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(own)));
    assertEquals(
        Map.of(
            "CUDA_MPS_PIPE_DIRECTORY",
            own.resolve("pipe").toString(),
            "CUDA_MPS_LOG_DIRECTORY",
            own.resolve("log").toString()),
        control.variables());
    assertTrue(Files.isDirectory(own.resolve("pipe")));
    ProcessHandle.current().children().forEach(ProcessHandle::destroy);
    control.close();
    assertEquals(List.of(call("-d", own), call("quit", own)), calls());
    assertEquals(List.of(), left());
  }

  @Test
  void whatIsNotThereIsSaid() {
    environment.put("PATH", folder.resolve("nowhere").toString());
    IOException e = assertThrows(IOException.class, () -> MpsControl.start(environment, PATIENCE));
    assertTrue(e.getMessage().contains("no nvidia-cuda-mps-control on the PATH"), e::getMessage);
  }

  @Test
  void whyItDoesNotStartIsSaidAndNothingIsLeft() throws Exception {
    environment.put("FAILING", "yes");
    IOException e = assertThrows(IOException.class, () -> MpsControl.start(environment, PATIENCE));
    assertTrue(e.getMessage().contains("Cannot find any GPU"), e::getMessage);
    assertFalse(Files.exists(folder.resolve("calls")));
    awaitNothingLeft();
  }

  @Test
  void whatDoesNotStartIsNotWaitedForForEver() throws Exception {
    environment.put("FAILING", "late");
    IOException e =
        assertThrows(IOException.class, () -> MpsControl.start(environment, Duration.ofSeconds(1)));
    assertTrue(e.getMessage().contains("nothing has happened for 1 seconds"), e::getMessage);
    awaitNothingLeft();
  }

  private void awaitNothingLeft() throws Exception {
    while (!left().isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  /** Starts it and waits to be killed. */
  static final class Victim {
    public static void main(String[] arguments) throws IOException {
      MpsControl unused = MpsControl.start(System.getenv(), PATIENCE);
      System.out.println("started");
      Pause.ms(Long.MAX_VALUE);
    }
  }

  @Test
  void itDoesNotOutliveAKilledDaemon() throws Exception {
    ProcessBuilder builder = new StandIn(folder).process(Victim.class);
    builder.environment().putAll(environment);
    Process victim = builder.start();
    while (!victim.inputReader().readLine().equals("started")) {
      // Lines of its log are skipped.
    }
    Path own = left().getFirst();
    victim.destroyForcibly();
    awaitNothingLeft();
    assertEquals(List.of(call("-d", own), call("quit", own)), calls());
  }
}
