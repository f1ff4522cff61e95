// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.greeting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.wire.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
  @TempDir private Path folder;

  private Map<String, String> environment() {
    return Map.of(
        "HOME", folder.resolve("home").toString(),
        "XDG_RUNTIME_DIR", folder.resolve("run").toString());
  }

  @Test
  void theFileIsTheRuntimeFoldersElseTheHomes() {
    assertEquals(folder.resolve("run/outboard/token"), TokenFile.path(environment()));
    assertEquals(
        Path.of("/home/me/.config/outboard/token"), TokenFile.path(Map.of("HOME", "/home/me")));
    Map<String, String> elsewhere = Map.of("HOME", "/home/me", "XDG_CONFIG_HOME", "/conf");
    assertEquals(Path.of("/conf/outboard/token"), TokenFile.path(elsewhere));
  }

  @Test
  void aFileIsMadeOnceForItsUserOnly() throws Exception {
    Path file = TokenFile.path(environment());
    Token made = TokenFile.loadOrCreate(file);
    assertEquals(made.digits(), TokenFile.loadOrCreate(file).digits());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    try (var files = Files.list(file.getParent())) {
      assertEquals(List.of(file), files.toList(), "nothing else is left");
    }
  }

  @Test
  void aFileThatOthersMayReadIsRefused() throws Exception {
    Path file = TokenFile.path(environment());
    Token token = TokenFile.loadOrCreate(file);
    for (String mode : List.of("rw-r-----", "rw----r--", "rw--w----", "rw-----w-")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      var error = assertThrows(IOException.class, () -> TokenFile.load(file), mode);
      assertTrue(error.getMessage().contains("chmod 600"), error.getMessage());
      assertFalse(error.getMessage().contains(token.digits()));
      assertThrows(IOException.class, () -> TokenFile.loadOrCreate(file), "never overwritten");
    }
  }

  @Test
  void aFileThatHoldsNoTokenIsRefused() throws Exception {
    Path file = TokenFile.path(environment());
    TokenFile.loadOrCreate(file);
    Files.writeString(file, "hunter2");
    var error = assertThrows(IOException.class, () -> TokenFile.load(file));
    assertEquals(file + ": a token has 64 hexadecimal digits", error.getMessage());
  }

  @Test
  void aClientFindsItsToken() throws Exception {
    assertEquals(Optional.empty(), TokenFile.find(environment()));
    Token home = TokenFile.loadOrCreate(folder.resolve("home/.config/outboard/token"));
    assertEquals(home.digits(), TokenFile.find(environment()).orElseThrow().digits());
    Token run = TokenFile.loadOrCreate(folder.resolve("run/outboard/token"));
    assertEquals(run.digits(), TokenFile.find(environment()).orElseThrow().digits());
    Token variable = Token.random();
    Map<String, String> said = Map.of(TokenFile.VARIABLE, variable.digits());
    assertEquals(variable.digits(), TokenFile.find(said).orElseThrow().digits());
    Map<String, String> wrong = Map.of(TokenFile.VARIABLE, "x");
    assertThrows(IOException.class, () -> TokenFile.find(wrong));
  }
}
