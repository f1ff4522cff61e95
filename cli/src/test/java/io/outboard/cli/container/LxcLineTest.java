// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LxcLineTest {
  private static LxcLine execute(String words) {
    return LxcLine.parse(Engine.LXC_EXECUTE, List.of(words.split(" ")));
  }

  private static LxcLine attach(String words) {
    return LxcLine.parse(Engine.LXC_ATTACH, List.of(words.split(" ")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-n one -f file -P /containers -- program -n two",
        "-q -n one -f file --lxcpath /containers program -n two",
        "--name=one --lxcpath=/containers -f file -- program -n two",
        "-none -P/containers -f file -- program -n two",
        "-f file -P /containers one program -n two",
        "-f file -P /containers one -- program -n two"
      })
  void theNameIsAnOptionsOrTheFirstWord(String words) {
    LxcLine line = execute(words);
    assertEquals("one", line.name());
    assertEquals(Optional.of("/containers"), line.path());
    assertEquals(List.of("program", "-n", "two"), line.command());
    assertTrue(line.options().contains("file"), line::toString);
    assertFalse(line.options().contains("one"), line::toString);
  }

  @Test
  void oneInTheBackgroundOutlivesItsCommand() {
    assertTrue(execute("-d -n one -- program").detached());
    assertTrue(execute("-n one --daemon -- program").detached());
    assertFalse(execute("-n one -- program -d").detached());
  }

  @Test
  void itsVariablesAreTakenOverByName() {
    TreeMap<String, String> variables = new TreeMap<>();
    variables.put("OUTBOARD", "tcp://here");
    Reach reach = new Reach(new TreeMap<>(), variables);
    assertEquals(
        List.of(
            "lxc-attach",
            "--name",
            "one",
            "--set-var=OUTBOARD=tcp://here",
            "--keep-var=OUTBOARD_TOKEN",
            "--clear-env",
            "--",
            "/opt/outboard/bin/outboard-run",
            "--",
            "program"),
        attach("-n one --clear-env -- program").words(reach));
  }

  @Test
  void aFolderWithASpaceIsOneWordOfFstab(@TempDir Path home) throws Exception {
    Path folder = Files.createDirectory(home.resolve("a folder"));
    TreeMap<Path, String> mounts = new TreeMap<>();
    mounts.put(folder, "/opt/outboard/lib");
    assertEquals(
        List.of(
            "lxc.mount.entry=%s/a\\040folder opt/outboard/lib none bind,ro,create=dir 0 0"
                .formatted(home)),
        LxcLine.mounts(new Reach(mounts, new TreeMap<>())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-n one", "-n one --", "one", "-n"})
  void whatHasNoProgramIsRefused(String words) {
    assertThrows(IllegalArgumentException.class, () -> execute(words));
  }
}
