// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class IdentityCommandTest {
  @TempDir private Path folder;
  private Path file;
  private final StringWriter output = new StringWriter();
  private final StringWriter errors = new StringWriter();

  @BeforeEach
  void write() throws IOException {
    file =
        Files.writeString(
            folder.resolve("identity.conf"),
            """
            [provider people]
            issuer = http://127.0.0.1:9
            audience = outboard-broker

            [rule physics]
            from = keystone
            claim.project = 17af
            claim.roles = member
            tenant = physics
            role = user
            fqan = /vo.example.org/physics
            """);
  }

  private int execute(String... words) {
    CommandLine all =
        Outboard.commandLine()
            .setOut(new PrintWriter(output, true))
            .setErr(new PrintWriter(errors, true));
    return Outboard.execute(all, words);
  }

  private int explain(String... words) {
    String[] all = new String[words.length + 4];
    System.arraycopy(
        new String[] {"identity", "explain", "--identity", file.toString()}, 0, all, 0, 4);
    System.arraycopy(words, 0, all, 4, words.length);
    return execute(all);
  }

  @Test
  void whatClaimsWouldGiveIsSaid() {
    String claims = "{\"sub\": \"u1\", \"project\": \"17af\", \"roles\": [\"reader\", \"member\"]}";
    assertEquals(0, explain("--claims-of", "keystone", claims), errors::toString);
    assertTrue(output.toString().contains("rule physics fits"), output::toString);
    assertTrue(output.toString().contains("VO vo.example.org"), output::toString);
  }

  @Test
  void whatKeepsThemFromFittingIsSaid() {
    assertEquals(1, explain("--claims-of", "keystone", "{\"project\": \"17af\"}"));
    assertTrue(output.toString().contains("there is no such claim"), output::toString);
    assertTrue(output.toString().contains("nothing is granted"), output::toString);
    assertEquals(1, explain("--claims-of", "people", "{\"project\": \"17af\"}"));
    assertTrue(output.toString().contains("is for keystone, not people"), output::toString);
  }

  @Test
  void whatIsNoTokenIsRefused() {
    assertEquals(1, explain("no token"));
    assertTrue(output.toString().contains("no signed JWT"), output::toString);
  }

  @Test
  void aMistakeInTheFileNamesItsLine() throws IOException {
    Files.writeString(file, "[rule x]\nfrom = keystone\n");
    assertEquals(1, explain("no token"));
    assertTrue(errors.toString().contains("line 1, [rule x]: it wants"), errors::toString);
  }

  @Test
  void claimsAreAnObject() {
    assertEquals(2, explain("--claims-of", "keystone", "[]"));
    assertEquals(2, execute("identity"));
  }
}
