// SPDX-License-Identifier: Apache-2.0
package io.outboard.client.find;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sites that a client's file names. */
final class SitesTest {
  private static final String LAB =
      "site.lab.backend = tls://lab.example\nsite.lab.api = https://lab.example:8471\n";

  private static final String TOKEN = "ab".repeat(32);

  @TempDir private Path root;

  private List<Site> sites() throws IOException {
    Map<String, String> environment = Map.of("HOME", root.resolve("home").toString());
    return new Backends(environment, root.resolve("here"), root).sites();
  }

  private Path write(String folder, String text) throws IOException {
    Path file = root.resolve(folder).resolve(Backends.FILE);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  @Test
  void withoutTheKeyThereAreNone() throws Exception {
    write("here", "backend = tcp://here\n");
    assertEquals(List.of(), sites());
  }

  @Test
  void theFirstFileThatNamesSomeIsTaken() throws Exception {
    write("etc/outboard", "sites = lab\n" + LAB);
    write("home/.config/outboard", "backend = tcp://here\n");
    assertEquals(List.of("lab"), sites().stream().map(Site::name).toList());
    write("here", "sites =\n");
    assertEquals(List.of(), sites(), "it says that there are none");
  }

  @Test
  void eachHasWhatItsKeysSayInTheOrderOfTheList() throws Exception {
    Path file =
        write(
            "here",
            "sites = b, lab\n"
                + LAB
                + "site.b.backend = unix:/b\nsite.b.api = http://127.0.0.1:1\n"
                + "site.lab.token-file = lab.token\nsite.lab.ca = /ca.pem\n");
    assertEquals(List.of("b", "lab"), sites().stream().map(Site::name).toList());
    Site lab = sites().getLast();
    assertEquals("tls://lab.example", lab.backend().toString());
    assertEquals("https://lab.example:8471", lab.api().toString());
    Path token = Files.writeString(file.resolveSibling("lab.token"), TOKEN);
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    Map<String, String> environment = lab.environment(Map.of("OUTBOARD_TOKEN", "another's"));
    assertEquals(Map.of("OUTBOARD_TOKEN", TOKEN, "OUTBOARD_CA", "/ca.pem"), environment);
    assertEquals(
        Map.of(),
        sites().getFirst().environment(Map.of("OUTBOARD_TOKEN", "of a lease at lab")),
        "nobody else's token is used");
    Files.delete(token);
    assertThrows(IOException.class, () -> lab.environment(Map.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sites = lab lab",
        "sites = ../lab",
        "sites = lab other",
        "sites = lab\nsite.lab.backend = nonsense",
        "sites = lab\nsite.lab.api = http://lab.example:8471",
        "sites = lab\nsite.lab.api = file:///etc/passwd",
        "sites = lab\nsite.lab.api = https:lab",
        "sites = lab\nsite.lab.api = :",
      })
  void whatIsWrongIsSaidWithItsFile(String lines) throws Exception {
    Path file = write("here", LAB + lines + "\n");
    String why = assertThrows(IllegalArgumentException.class, this::sites).getMessage();
    assertTrue(why.startsWith(file + ": "), why);
  }

  @Test
  void theirNumberIsBounded() throws Exception {
    String names =
        IntStream.range(0, 33).mapToObj(number -> "s" + number).collect(Collectors.joining(" "));
    write("here", "sites = " + names + "\n");
    String why = assertThrows(IllegalArgumentException.class, this::sites).getMessage();
    assertTrue(why.endsWith("at most 32 sites"), why);
  }

  @Test
  void aFileThatEverybodyWritesNamesNone() throws Exception {
    Path file = write("here", "sites = lab\n" + LAB);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertEquals(List.of(), sites());
  }
}
